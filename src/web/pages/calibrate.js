// Calibrating: choose what to see, let the board be found or show it, name what lies on it, save.

import { make } from './board.js';
import * as easel from './easel.js';
import './calibrate-words.js';
import { count, say } from './words.js';

const $ = (id) => document.getElementById(id);
/** How often a new picture is looked for, in ms. */
const PAUSE = 700;
/** How long a word or a move may still go on before the server is asked. */
const SOON = 120;
/** Moves by one key that follow within this are undone together. */
const TOGETHER = 800;
const GAMES = ['flood', 'connect4', 'gomoku', 'tetris'];
const KINDS = ['cells', 'holes', 'crossings', 'squares', 'stack'];

let shown = null;
let said = null;
let answer = null;
let frame = 0;
let chosen = null;
let candidates = [];
let past = [];
let future = [];
let last = { why: '', at: 0 };
let timer = 0;
let asking = false;
let again = false;
let start = () => {};

/** Asks; gives what was answered, or throws with the reason. */
async function ask(method, path, body) {
  const options = { method };
  if (body !== undefined) {
    options.headers = { 'content-type': 'application/json' };
    options.body = JSON.stringify(body);
  }
  const got = await fetch(path, options).catch(() => { throw new Error(say('lost')); });
  const told = got.headers.get('content-type')?.includes('json') ? await got.json() : null;
  if (!got.ok) throw Object.assign(new Error(told?.error ?? got.statusText), { status: got.status });
  return told;
}

const mine = (what) => `/api/calibrations/${shown.id}${what}`;
const tell = (text, bad = false) => {
  $('easel-words').textContent = text;
  $('easel-words').classList.toggle('bad', bad);
};
/** Does it; what goes wrong is told. */
const attempt = (work) => work().catch((error) => tell(error.message, true));

// ---- what to look at

/** Lists everything that can be looked at. */
export async function sources() {
  const groups = [];
  const add = (word, list, each) => {
    if (!list.length) return;
    groups.push(make('h3', {}, say(word)), make('ul', { class: 'sources' }, ...list.map((s) => {
      const { wish, title, note, off } = each(s);
      const button = make('button', { type: 'button' }, make('strong', {}, title), make('span', {}, note));
      button.disabled = off ?? false;
      button.addEventListener('click', () => attempt(() => open(wish)));
      return make('li', {}, button);
    })));
  };
  const all = await ask('GET', '/api/sources');
  const sessions = await ask('GET', '/api/sessions');
  const times = ([w, h]) => `${w} × ${h}`;
  const own = (w) => w.title !== document.title && !w.title.startsWith(`${document.title} - `);
  add('windows', all.windows.filter(own), (w) => ({
    wish: { window: w.id }, title: w.title || w.class || say('untitled'), off: !w.visible,
    note: w.visible ? `${w.class} · ${times(w.size)}` : say('minimised'),
  }));
  add('screens', all.screens, (s) => ({ wish: { screen: s.name }, title: s.name, note: times(s.size) }));
  add('cameras', all.cameras, (c) => ({ wish: { camera: c.name }, title: c.card, note: c.name }));
  add('running', sessions, (s) => ({ wish: { session: s.id }, title: `${s.id}. ${s.profile}`, note: s.source, off: !s.frame }));
  if (all.trouble) groups.push(make('p', { class: 'hint' }, all.trouble));
  if (!groups.length) groups.push(make('p', {}, say('noSources')));
  $('sources').replaceChildren(...groups);
}

async function open(source) {
  $('source-words').textContent = say('opening');
  try {
    if (shown) await ask('DELETE', mine('')).catch(() => {});
    shown = await ask('POST', '/api/calibrations', { source });
    $('source-words').textContent = '';
  } catch (error) {
    $('source-words').textContent = error.message;
    return;
  }
  [said, answer, chosen, past, future] = [null, null, null, [], []];
  quality(0, false);
  $('looks').replaceChildren();
  naming();
  $('easel').hidden = false;
  $('easel-title').textContent = shown.source;
  $('hold').checked = false;
  $('save-name').value = slug(shown.profile ?? shown.source);
  $('save-force').checked = false;
  $('save-over').hidden = true;
  $('try').hidden = !shown.clickable;
  $('try-words').textContent = '';
  picture();
  await find();
  $('easel').scrollIntoView({ block: 'nearest' });
}

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'board';

function picture() {
  frame = shown.frame;
  easel.load(mine(`/frame.png?n=${frame}`));
}

// ---- the board

async function find(more = {}) {
  tell(say('looking'));
  const game = shown.game ? { game: shown.game } : {};
  candidates = await ask('POST', mine('/find'), { ...game, ...more });
  $('candidates').replaceChildren(...candidates.map(candidate));
  $('found').textContent = candidates.length ? count('foundBoards', candidates.length) : '';
  const best = candidates.find((c) => c.good) ?? candidates[0];
  if (best) return choose(best);
  const [w, h] = shown.size;
  const side = Math.min(w, h) * 0.7;
  const [x, y] = [(w - side) / 2, (h - side) / 2];
  const corners = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
  declare({ game: shown.game ?? 'flood', kind: null, cols: 8, rows: 8, corners, lessons: [], ...more });
  tell(say('notFound'), true);
}

function candidate(c) {
  const picture = make('canvas', { width: c.cols, height: c.rows, 'aria-hidden': 'true' });
  const pen = picture.getContext('2d');
  const colours = new Map(c.classes);
  c.seen.forEach((row, y) => [...row].forEach((letter, x) => {
    pen.fillStyle = colours.get(letter) ?? '#808080';
    pen.fillRect(x, y, 1, 1);
  }));
  const text = `${say(`game-${c.game}`)}, ${c.cols} × ${c.rows}`;
  const button = make('button', { type: 'button', 'aria-pressed': 'false' }, picture,
    make('span', {}, text, make('br'), `${say('quality')} ${c.quality.toFixed(2)}`));
  button.addEventListener('click', () => choose(c));
  return button;
}

const choose = (c) => declare({ game: c.game, kind: c.kind, cols: c.cols, rows: c.rows, corners: c.corners, lessons: [] });

/** Says something of the board from now on; `why` goes on with what was said by the same before. */
function declare(next, why = '') {
  const now = Date.now();
  const goesOn = why && why === last.why && now - last.at < TOGETHER;
  if (said && !goesOn) past.push(said);
  last = { why, at: now };
  future = [];
  settle(next);
}

function settle(next) {
  said = next;
  answer = null;
  // Nothing is saved that has not been looked at.
  savable(false);
  fields();
  easel.show(said.corners, said.cols, said.rows, null);
  soon();
}

function travel(from, to) {
  const next = from.pop();
  if (!next) return;
  to.push(said);
  last = { why: '', at: 0 };
  settle(next);
}

/** Puts what was said into the fields. */
function fields() {
  $('say-game').value = said.game;
  $('say-kind').value = said.kind ?? '';
  [$('say-cols').value, $('say-rows').value] = [said.cols, said.rows];
  $('undo').disabled = !past.length;
  $('redo').disabled = !future.length;
  const isIt = (c) => c.game === said.game && JSON.stringify(c.corners) === JSON.stringify(said.corners);
  [...$('candidates').children].forEach((b, i) => b.setAttribute('aria-pressed', String(isIt(candidates[i]))));
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(() => attempt(put), SOON);
}

/** Tells the server what was said, one at a time and the newest last. */
async function put() {
  if (asking) {
    again = true;
    return;
  }
  const [about, to] = [said, shown?.id];
  asking = true;
  try {
    const { kind, ...rest } = about;
    const got = await ask('PUT', mine('/shown'), kind ? { ...rest, kind } : rest);
    if (about === said && to === shown?.id) take(got);
  } catch (error) {
    if (about === said) refused(error);
  } finally {
    asking = false;
  }
  if (again) {
    again = false;
    await put();
  }
}

function take(got) {
  answer = got;
  if (!easel.isBusy()) easel.show(said.corners, said.cols, said.rows, answer);
  const off = answer.residual_px === null ? '' : ` ${say('linesOff', answer.residual_px.toFixed(2))}`;
  tell(`${say(answer.good ? 'fits' : 'fitsNot')}${off}`, !answer.good);
  quality(answer.quality, answer.good);
  looks();
  naming();
}

function refused(error) {
  tell(error.message, true);
  quality(0, false);
  $('looks').replaceChildren();
}

function quality(value, good) {
  $('quality').value = value;
  $('quality-number').textContent = value.toFixed(2);
  savable(good);
}

function savable(is) {
  for (const id of ['save', 'save-begin']) $(id).disabled = !is;
}

// ---- what lies on it

function looks() {
  const focused = document.activeElement?.dataset?.letter;
  const head = make('tr', {}, ...['class', 'calledName', 'howMany', 'certain', 'apart'].map((w) => make('th', { scope: 'col' }, say(w))));
  const rows = answer.looks.filter((l) => l.cells > 0).map(look);
  $('looks').replaceChildren(make('thead', {}, head), make('tbody', {}, ...rows));
  if (focused) $('looks').querySelector(`[data-letter="${CSS.escape(focused)}"]`)?.focus();
}

function look(l) {
  const swatch = make('span', { class: 'swatch' });
  swatch.style.background = l.rgb;
  const name = make('input', {
    'data-letter': l.letter, 'aria-label': say('nameOf', l.letter), placeholder: l.colour.split(' ').at(-1), size: 7, maxlength: 20,
  });
  name.value = nameOf(l.letter) ?? '';
  name.addEventListener('change', () => teach(l.example, name.value));
  const meter = (value, max, text) => make('td', {}, make('meter', { min: 0, max, value, 'aria-label': text }), ` ${text}`);
  const apart = l.apart === null ? make('td', {}, '–') : meter(Math.min(l.apart, 200), 200, `${l.nearest} ${l.apart.toFixed(0)}`);
  return make('tr', {}, make('th', { scope: 'row' }, swatch, ` ${l.letter}`), make('td', {}, name),
    make('td', {}, String(l.cells)), meter(l.least, 1, l.least.toFixed(2)), apart);
}

/** The name that was given to a class by one of its cells. */
function nameOf(letter) {
  return said.lessons.find((l) => answer.seen[l.row]?.[l.col] === letter)?.name;
}

/** Names a cell; an empty name takes back what was said of cells that look like it. */
function teach([col, row], text) {
  const name = text.trim().toLowerCase().replace(/[^\p{L}\p{N}_#-]+/gu, '-');
  const letter = answer?.seen[row]?.[col];
  const others = said.lessons.filter((l) => !(l.col === col && l.row === row) && (answer?.seen[l.row]?.[l.col] !== letter || letter === '?'));
  declare({ ...said, lessons: name ? [...others, { col, row, name }] : others });
}

function naming() {
  $('naming').hidden = !chosen;
  if (!chosen || !answer) return;
  const [col, row] = chosen;
  const letter = answer.seen[row]?.[col] ?? '?';
  const sure = answer.confidence[row * answer.cols + col] ?? 0;
  $('cell-words').textContent = say('cellIs', col, row, letter, sure.toFixed(2));
  const known = [...new Set([...said.lessons.map((l) => l.name), ...answer.looks.map((l) => l.colour.split(' ').at(-1)), 'empty'])];
  $('known-names').replaceChildren(...known.map((value) => make('option', { value })));
}

function pick(cell) {
  chosen = cell;
  easel.mark(cell);
  naming();
  $('cell-name').value = said.lessons.find((l) => l.col === cell[0] && l.row === cell[1])?.name ?? '';
  $('cell-name').focus({ preventScroll: true });
}

// ---- trying and saving

async function click() {
  const [col, row] = chosen ?? [Math.floor(said.cols / 2), Math.floor(said.rows / 2)];
  const landed = await ask('POST', mine('/click'), { col, row, armed: $('try-armed').checked });
  $('try-armed').checked = false;
  arming();
  const [x, y] = landed.px.map((v) => v.toFixed(1));
  const what = landed.changed.length ? count('changedCells', landed.changed.length) : say('changedNone');
  $('try-words').textContent = `${say('landed', col, row, x, y)} ${what}`;
}

const arming = () => { $('try-click').disabled = !$('try-armed').checked; };

async function save() {
  clearTimeout(timer);
  await put();
  const name = $('save-name').value.trim();
  try {
    const saved = await ask('POST', mine('/save'), { name, force: $('save-force').checked });
    tell(say('saved', saved.path));
    return saved.profile;
  } catch (error) {
    $('save-over').hidden = error.status !== 409;
    throw error;
  }
}

async function close() {
  await ask('DELETE', mine('')).catch(() => {});
  shown = null;
  $('easel').hidden = true;
  await sources();
}

// ---- all of it

/** Looks for a new picture while somebody is there to see it. */
async function follow() {
  if (!shown || $('calibrate').hidden || document.hidden) return;
  const state = await ask('GET', mine(''));
  if (state.trouble) tell(state.trouble, true);
  if (state.frame === frame || state.trouble || easel.isBusy() || state.id !== shown.id) return;
  shown.frame = state.frame;
  shown.size = state.size;
  picture();
  if (said) soon();
}

/** Words in another language. */
export function speak() {
  for (const [id, list, word] of [['say-game', GAMES, 'game'], ['say-kind', ['', ...KINDS], 'kind']]) {
    const now = $(id).value;
    $(id).replaceChildren(...list.map((v) => make('option', { value: v }, say(`${word}-${v}`))));
    $(id).value = now || list[0];
  }
  if (shown) $('candidates').replaceChildren(...candidates.map(candidate));
  if (said) fields();
  if (answer) take(answer);
  if (said && !answer) easel.show(said.corners, said.cols, said.rows, null);
}

/** `begun` is called with the name of a profile that a session shall begin with. */
export function begin(begun) {
  start = begun;
  speak();
  easel.begin((corners, why) => declare({ ...said, corners }, why), pick);
  const on = (id, kind, work) => $(id).addEventListener(kind, (e) => {
    e.preventDefault();
    attempt(async () => work(e));
  });
  on('sources-again', 'click', sources);
  on('find', 'click', () => find());
  on('find-so', 'click', () => find({ game: said.game, cols: said.cols, rows: said.rows, ...(said.kind ? { kind: said.kind } : {}) }));
  on('undo', 'click', () => travel(past, future));
  on('redo', 'click', () => travel(future, past));
  on('close-easel', 'click', close);
  $('hold').addEventListener('change', () => attempt(() => ask('PUT', mine('/held'), { held: $('hold').checked })));
  $('say-game').addEventListener('change', () => declare({ ...said, game: $('say-game').value, kind: null }));
  $('say-kind').addEventListener('change', () => declare({ ...said, kind: $('say-kind').value || null }));
  for (const [id, key] of [['say-cols', 'cols'], ['say-rows', 'rows']]) {
    $(id).addEventListener('change', () => {
      const value = Math.round(Number($(id).value));
      if (value >= 2 && value <= 400) declare({ ...said, [key]: value, lessons: [] }, id);
      else fields();
    });
  }
  on('naming', 'submit', () => teach(chosen, $('cell-name').value));
  $('try-armed').addEventListener('change', arming);
  on('try-click', 'click', click);
  on('saving', 'submit', save);
  on('save-begin', 'click', async () => start(await save()));
  // Undo and redo where no text is edited.
  $('calibrate').addEventListener('keydown', (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.target.matches('input, select')) return;
    const key = e.key.toLowerCase();
    if (key === 'z' && !e.shiftKey) travel(past, future);
    else if (key === 'y' || (key === 'z' && e.shiftKey)) travel(future, past);
    else return;
    e.preventDefault();
  });
  arming();
  const later = () => follow().catch(lost).finally(() => setTimeout(later, PAUSE));
  later();
}

/** One that was closed for want of eyes is no more. */
function lost(error) {
  tell(error.message, true);
  if (error.status !== 404) return;
  shown = null;
  $('easel').hidden = true;
  $('source-words').textContent = error.message;
}
