// Who solved which level, where a server keeps that: from a file nothing of it is there.

const served = location.protocol === 'http:' || location.protocol === 'https:';
/** Letters of a name, at most. */
const NAME = 24;

async function ask(path, body) {
  const options = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`/api/triplex/${path}`, options);
  return { ok: answer.ok, status: answer.status, told: await answer.json() };
}

/** Tells the server what it has not been told yet; what it cannot be told now waits. */
let sending = false;
async function report() {
  if (!served || sending || !progress.name) return;
  sending = true;
  try {
    while (progress.unsent.length > 0) {
      const { level: number, seconds: spent, solution } = progress.unsent[0];
      const name = progress.name;
      const given = await ask('tickets', {});
      if (!given.ok) break;
      const { ticket } = given.told;
      const checksum = proofOf(number, progress.keys[number], `${ticket}\n${spent}\n${solution}\n${name}`);
      const { ok, status } = await ask('solved', { level: number, name, seconds: spent, solution, ticket, checksum });
      // A claim that is wrong is not made again; after all else it waits for another time.
      if (!ok && status !== 422) break;
      progress.unsent.shift();
      save();
    }
  } catch {
    // No network: they wait.
  }
  sending = false;
}

function row(of, cell) {
  const line = document.createElement('tr');
  for (const text of of) {
    const e = document.createElement(cell);
    e.textContent = text;
    line.append(e);
  }
  return line;
}

async function showSolvers() {
  const body = document.querySelector('#solvers-table tbody');
  const none = document.getElementById('solvers-none');
  const size = (n) => clock(Math.round(n));
  let levels = null;
  try {
    const { ok, told } = await ask('solved');
    if (ok) levels = told.levels;
  } catch {
    // As if it had refused.
  }
  body.replaceChildren(...(levels ?? []).map((l) => row([l.level.toLocaleString(language), `${l.first} (${ago(l.at)})`, l.solved.toLocaleString(language), size(l.fastest), size(l.median), size(l.mean)], 'td')));
  none.textContent = say(levels ? 'solversNone' : 'solversLost');
  none.hidden = Boolean(levels?.length);
  document.getElementById('solvers-table').hidden = !none.hidden;
}
