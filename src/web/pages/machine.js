// This machine: what works and what mends what does not, devices, the configuration, the log.

import { make } from './board.js';
import './records-words.js';
import { count, say } from './words.js';

const $ = (id) => document.getElementById(id);
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'];
/** Lines of the log that are shown. */
const LINES = 500;

let get = null;
let put = null;
let log = null;

/** Shows all of it; the log goes on while it is looked at. */
export async function show(ask) {
  get = (path) => ask('GET', path);
  put = (path, body) => ask('PUT', path, body);
  follow();
  await Promise.all([devices(), doctor(), settings()]);
}

/** Nobody looks any more. */
export function hide() {
  log?.close();
  log = null;
}

// ---- devices

async function devices() {
  const all = await get('/api/devices');
  const rows = [
    ...all.screens.map((s) => ['screenName', s.name, `${s.size[0]} × ${s.size[1]}`]),
    ...all.cameras.map((c) => ['cameraName', c.card, c.name]),
    ...all.ports.map((p) => ['portName', p.name, p.problem ?? p.product ?? p.likely.join(', ')]),
  ];
  const items = rows.map(([word, name, note]) => make('li', {}, make('strong', {}, say(word)), ' ', name, make('span', { class: 'note' }, note)));
  $('devices').replaceChildren(...(items.length ? items : [make('li', {}, say('noDevices'))]));
}

async function doctor() {
  $('findings').replaceChildren(make('li', {}, say('examining')));
  const all = await get('/api/doctor');
  const order = { fail: 0, warn: 1, ok: 2 };
  const bad = all.filter((f) => f.level === 'fail').length;
  $('findings-words').textContent = bad ? count('failed', bad) : say('nothingFailed');
  const items = all.sort((a, b) => (order[a.level] ?? 3) - (order[b.level] ?? 3)).map((f) => make('li', { class: `finding ${f.level}` },
    make('span', { class: 'mark' }, say(`level-${f.level}`)),
    make('div', {}, make('strong', {}, `${f.topic}: ${f.name}`), ' ', f.text, ...(f.fix ? [make('p', { class: 'note' }, `→ ${f.fix}`)] : []))));
  $('findings').replaceChildren(...items);
}

// ---- the configuration

async function settings() {
  draw(await get('/api/settings'));
}

function draw(shown) {
  $('settings-file').textContent = shown.file ?? '';
  let section = '';
  const rows = [];
  for (const key of shown.keys) {
    const [s, name] = key.path.split('.');
    if (s !== section) rows.push(make('h3', {}, s));
    section = s;
    rows.push(field(key, name));
  }
  $('keys').replaceChildren(...rows);
}

function field(key, name) {
  const id = `key-${key.path}`;
  const attributes = { id, 'data-key': key.path, 'data-before': key.origin === 'file' ? key.value ?? '' : '', 'aria-describedby': `${id}-note` };
  const usual = key.origin === 'default' ? key.value : key.usual;
  let input;
  if (key.choices.length) {
    const options = [make('option', { value: '' }, `${usual ?? ''} (${say('usual')})`), ...key.choices.map((c) => make('option', { value: c }, c))];
    input = make('select', attributes, ...options);
  } else {
    input = make('input', { ...attributes, placeholder: usual ?? '', autocomplete: 'off', spellcheck: 'false' });
  }
  const over = key.origin !== 'default' && key.origin !== 'file';
  input.value = over ? key.value : attributes['data-before'];
  input.disabled = key.fixed || over;
  const notes = [key.doc, key.allowed, ...(key.restart ? [say('restart')] : []), ...(over ? [say(`from-${key.origin}`)] : []), ...(key.fixed ? [say('inFile')] : [])];
  return make('div', { class: 'key' }, make('label', { for: id }, name), input, make('p', { id: `${id}-note`, class: 'note' }, notes.join(' · ')));
}

async function save() {
  const changes = {};
  let restart = false;
  for (const input of $('keys').querySelectorAll('[data-key]')) {
    if (input.disabled || input.value === input.dataset.before) continue;
    changes[input.dataset.key] = input.value === '' ? null : input.value;
    restart ||= input.dataset.key.startsWith('log.');
  }
  const words = $('settings-words');
  try {
    draw(await put('/api/settings', { changes }));
    words.textContent = say(restart ? 'keptRestart' : 'kept');
  } catch (error) {
    words.textContent = error.message;
  }
}

// ---- the log

function follow() {
  hide();
  $('lines').replaceChildren();
  log = new EventSource(`/api/logs/events?level=${$('level').value || 'info'}`);
  log.addEventListener('lines', (e) => {
    const lines = JSON.parse(e.data).map((l) => {
      const time = new Date(l.ms).toLocaleTimeString(document.documentElement.lang, { hour12: false });
      return make('li', { class: l.level }, make('span', {}, time), make('span', { class: 'level' }, l.level), make('span', {}, l.text));
    });
    $('lines').prepend(...lines.reverse());
    while ($('lines').childElementCount > LINES) $('lines').lastElementChild.remove();
  });
}

/** Binds the forms. */
export function begin() {
  $('level').replaceChildren(...LEVELS.map((l) => make('option', { value: l }, l)));
  $('level').value = 'info';
  $('level').addEventListener('change', follow);
  $('examine').addEventListener('click', () => doctor().catch(() => {}));
  $('settings').addEventListener('submit', (e) => {
    e.preventDefault();
    save();
  });
}
