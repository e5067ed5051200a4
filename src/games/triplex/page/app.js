// The page: levels one after the other, the clock, the dialogs.

const get = (id) => document.getElementById(id);
/** How long a solved level is looked at, in milliseconds. */
const PAUSE = 1200;

function announce(text) {
  get('says').textContent = text;
}

/** Opens a level that there is a key for. */
function openLevel(number, desk) {
  const text = unsealed(number, progress.keys[number]);
  if (text === null) return false;
  progress.number = number;
  seconds = 0;
  const next = levelOf(text);
  shuffle(next.figures, number);
  level = next;
  restore(desk);
  const shown = seconds;
  deal(next);
  seconds = shown;
  announce(say('fill'));
  tellWhere();
  save();
  if (next.figures.every((f) => f.at)) solvedNow();
  return true;
}

function tellWhere() {
  get('number').textContent = say('number', progress.number.toLocaleString(language), LEVELS.length.toLocaleString(language));
  get('clock').textContent = clock(seconds);
  document.title = `TripleX – ${progress.number}`;
}

/** All figures lie in the rectangle: as they cover it, that is the solution. */
function solvedNow() {
  const number = progress.number;
  const solution = solutionOf(level);
  finished = true;
  table.classList.add('done');
  const fresh = !progress.solved[number];
  if (fresh) {
    progress.solved[number] = [seconds, Date.now()];
    progress.unsent.push({ level: number, seconds, solution });
  }
  announce(say('solved', number.toLocaleString(language), took(seconds)));
  const keyed = table.contains(document.activeElement);
  if (number < LEVELS.length) progress.keys[number + 1] = keyAfter(number, progress.keys[number], solution);
  save();
  report();
  setTimeout(() => {
    if (progress.number !== number || !finished) return;
    if (number === LEVELS.length) {
      announce(say('last'));
      return;
    }
    openLevel(number + 1);
    if (keyed) level.figures[0].button.focus();
  }, PAUSE);
}

function listLevels() {
  const numbers = Object.keys(progress.keys).map(Number).sort((a, b) => a - b);
  get('levels-sum').textContent = count('sum', Object.keys(progress.solved).length);
  get('levels-list').replaceChildren(...numbers.map((n) => {
    const [line, button, note] = [document.createElement('li'), document.createElement('button'), document.createElement('span')];
    button.type = 'button';
    button.textContent = `${say('level')} ${n.toLocaleString(language)}`;
    button.setAttribute('aria-current', n === progress.number);
    button.addEventListener('click', () => {
      get('levels').close();
      if (n !== progress.number || finished) openLevel(n);
    });
    const solved = progress.solved[n];
    note.textContent = solved ? say('done', ago(solved[1]), took(solved[0])) : say('opened');
    line.append(button, note);
    return line;
  }));
  get('levels-list').querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'center' });
}

function talk(code) {
  speak(code);
  progress.language = code;
  tellWhere();
  tellTable();
  tellSaved();
}

for (const id of ['levels', 'code', 'solvers', 'help']) {
  get(`show-${id}`).addEventListener('click', () => {
    letGo();
    get(id).showModal();
    if (id === 'levels') listLevels();
    if (id === 'solvers') { get('name').value = progress.name; showSolvers(); }
    if (id === 'code') {
      get('code-now').textContent = codeOf(progress.number, progress.keys[progress.number]);
      get('code-wrong').textContent = '';
    }
  });
}

get('code-copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(get('code-now').textContent);
    get('code-wrong').textContent = say('copied');
  } catch {
    // Not from everywhere: then it is marked, to be copied by hand.
    getSelection().selectAllChildren(get('code-now'));
  }
});

get('code-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const found = ofCode(get('code-field').value);
  if (!found || unsealed(found.number, found.key) === null) {
    get('code-wrong').textContent = say('codeWrong');
    return;
  }
  progress.keys[found.number] = found.key;
  get('code-field').value = '';
  get('code').close();
  openLevel(found.number);
});

get('name-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  progress.name = [...get('name').value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, NAME).join('').trim();
  get('name').value = progress.name;
  save();
  await report();
  showSolvers();
});

get('again').addEventListener('click', () => {
  if (finished) return;
  letGo();
  for (const f of level.figures) f.at = null;
  arrange();
  save();
});

for (const [code, words] of Object.entries(WORDS)) get('language').append(new Option(words.own, code));
get('language').addEventListener('change', () => {
  talk(get('language').value);
  announce(say('fill'));
  save();
});

recall();
speak(progress.language ?? spoken(navigator.languages));
get('language').value = language;
get('show-solvers').hidden = !served;
if (!openLevel(progress.number, progress.desk)) {
  // A key that was stored opens nothing: the first level is open to everybody.
  delete progress.keys[progress.number];
  openLevel(1);
}
report();

setInterval(() => {
  if (!finished && document.visibilityState === 'visible') seconds += 1;
  get('clock').textContent = clock(seconds);
  tellSaved();
}, 1000);
setInterval(save, SAVE_EVERY);
addEventListener('pagehide', save);
document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') save(); });
addEventListener('resize', () => { if (!drag) arrange(); });
