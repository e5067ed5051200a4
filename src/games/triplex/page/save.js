// Progress, as this browser keeps it: what is open, what is solved, what lies on the table.

const PLACE = 'triplex';
const SAVE_EVERY = 10_000;

const progress = { language: null, name: '', number: 1, keys: { 1: FIRST_KEY }, solved: {}, desk: null, unsent: [] };
/** When it was last saved; nothing when the browser does not keep it. */
let savedAt = null;

const isCount = (n) => Number.isInteger(n) && n >= 0;

/** What was stored, where it is what this page stores: anybody can write there. */
function stored() {
  let all;
  try {
    all = JSON.parse(localStorage.getItem(PLACE));
  } catch {
    return {};
  }
  if (typeof all !== 'object' || all === null) return {};
  const entries = (of, is) => Object.fromEntries(Object.entries(of ?? {}).filter(([n, v]) => LEVELS[n - 1] && is(v)));
  return {
    language: Object.hasOwn(WORDS, all.language ?? '') ? all.language : null,
    name: typeof all.name === 'string' ? all.name : '',
    number: all.number,
    keys: entries(all.keys, isKey),
    solved: entries(all.solved, (v) => Array.isArray(v) && v.length === 2 && v.every(isCount)),
    desk: typeof all.desk === 'object' ? all.desk : null,
    unsent: (Array.isArray(all.unsent) ? all.unsent : []).filter((u) => u && LEVELS[u.level - 1] && isCount(u.seconds) && typeof u.solution === 'string'),
  };
}

/** Takes up what was stored. */
function recall() {
  const old = stored();
  progress.language = old.language ?? null;
  progress.name = old.name ?? '';
  Object.assign(progress.keys, old.keys);
  Object.assign(progress.solved, old.solved);
  progress.keys[1] = FIRST_KEY;
  progress.unsent = old.unsent ?? [];
  if (progress.keys[old.number]) progress.number = old.number;
  if (old.desk?.number === progress.number) progress.desk = old.desk;
}

/** Stores it. What another window has opened and solved meanwhile stays. */
function save() {
  const other = stored();
  progress.keys = { ...other.keys, ...progress.keys };
  progress.solved = { ...other.solved, ...progress.solved };
  progress.desk = { number: progress.number, seconds, figures: level.figures.map((f) => [f.turned, ...(f.at ?? [])]) };
  try {
    localStorage.setItem(PLACE, JSON.stringify(progress));
    savedAt = Date.now();
  } catch {
    savedAt = null;
  }
  tellSaved();
}

function tellSaved() {
  document.getElementById('saved').textContent = savedAt === null ? say('unsaved') : say('saved', ago(savedAt));
}

/** Lays the figures as they lay when they were saved, as far as they still can. */
function restore(desk) {
  if (!desk || !isCount(desk.seconds) || !Array.isArray(desk.figures)) return;
  seconds = desk.seconds;
  level.figures.forEach((f, i) => {
    const [turned, ...at] = Array.isArray(desk.figures[i]) ? desk.figures[i] : [];
    if (f.turns && isCount(turned)) for (let n = 0; n < turned % 4; n++) turn(f);
    if (at.length === 2 && at.every(isCount) && fitsAt(level, f, at)) f.at = at;
  });
}

function turn(figure) {
  figure.cells = turnedCells(figure.cells);
  figure.turned = (figure.turned + 1) % 4;
}
