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
  games(state.results);
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

/** A bar for each finished game: as high as it had moves, filled where it was won. */
function games(results) {
  $('games-chart').hidden = !results.length;
  if (!results.length) return;
  const most = Math.max(...results.map((r) => r.moves), 1);
  const wide = 240 / Math.max(results.length, 12);
  const bars = results.map((r, i) => {
    const high = Math.max((46 * r.moves) / most, 1);
    const [x, y] = [i * wide + wide * 0.1, 47 - high];
    return make('path', { class: r.result, d: `M${x.toFixed(1)} 47V${y.toFixed(1)}H${(x + wide * 0.8).toFixed(1)}V47Z` });
  });
  $('games').replaceChildren(...bars);
  const of = (result) => results.filter((r) => r.result === result).length;
  const mean = results.reduce((sum, r) => sum + r.moves, 0) / results.length;
  const words = say('gamesOf', results.length, of('won'), of('lost'), mean.toFixed(1));
  $('games').setAttribute('aria-label', words);
  $('games-words').textContent = words;
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
