// One session as it goes on: picture, lattice, boards, decision, log.

import { board, lattice, make } from './board.js';
import { say } from './words.js';

const $ = (id) => document.getElementById(id);
const LATENCIES = 240;
const LINES = 200;

let stream = null;
let shown = null;
let latencies = [];
let before = null;

/** Shows a session from now on; `null` shows none. */
export function show(id) {
  if (id === shown) return;
  shown = id;
  stream?.close();
  stream = null;
  latencies = [];
  before = null;
  $('session').hidden = id === null;
  $('log').replaceChildren();
  $('picture').removeAttribute('src');
  if (id === null) return;
  $('picture').alt = say('picture');
  $('picture').src = `/api/sessions/${id}/frames.mjpg`;
  stream = new EventSource(`/api/sessions/${id}/events`);
  stream.addEventListener('state', (e) => draw(JSON.parse(e.data)));
}

export const current = () => shown;

function draw(state) {
  $('title').textContent = `${state.id}. ${state.profile} (${state.game})`;
  $('words').textContent = state.words;
  $('arm').disabled = state.armed || state.phase === 'ended';
  $('disarm').disabled = !state.armed;
  if ($('overlay').checked) lattice($('lattice'), state);
  else $('lattice').replaceChildren();
  const b = state.board;
  board($('seen'), b?.seen ?? [], b?.classes ?? [], b?.believed ?? []);
  board($('believed'), b?.believed ?? [], b?.classes ?? [], b?.believed.length ? b.seen : []);
  facts(state);
  chart(state);
  log(state.log);
}

function facts(state) {
  const d = state.decision;
  const rows = [
    ['policy', state.policy],
    ['decision', d ? `${d.action} (${d.ms.toFixed(1)} ms) ${d.note}` : ''],
    ['value', d ? `${d.score}` : ''],
    ['sent', state.sent],
    ['frames', `${state.frames}, ${state.fps.toFixed(1)} ${say('perSecond')}`],
    ['quality', state.board ? state.board.quality.toFixed(2) : ''],
    ['games', say('tally', ...state.tally)],
    ['mismatches', Object.entries(state.mismatches).map(([cause, n]) => `${cause} ${n}`).join(', ')],
  ];
  $('facts').replaceChildren(...rows.flatMap(([key, text]) => [make('dt', {}, say(key)), make('dd', {}, text)]));
}

/** The mean of what came since the last state: the server tells the mean of all. */
function chart(state) {
  const total = (state.latency_ms ?? 0) * state.frames;
  if (before && state.frames > before.frames) {
    latencies.push((total - before.total) / (state.frames - before.frames));
    latencies = latencies.slice(-LATENCIES);
  }
  before = { total, frames: state.frames };
  const most = Math.max(10, ...latencies);
  const points = latencies.map((v, i) => `${i},${(47 - (46 * v) / most).toFixed(1)}`).join(' ');
  $('chart').replaceChildren(make('polyline', { points }));
  const last = latencies.at(-1);
  $('chart').setAttribute('aria-label', last === undefined ? say('latency') : `${say('latency')}: ${last.toFixed(1)}`);
}

function log(told) {
  for (const t of told) {
    const time = (t.ms / 1000).toFixed(2);
    const line = make('li', { class: t.kind }, make('span', {}, time), make('span', {}, t.kind), make('span', {}, t.text));
    $('log').prepend(line);
  }
  while ($('log').childElementCount > LINES) $('log').lastElementChild.remove();
}
