// Five in a row against a policy of the server. The game lives here; each request brings all of it.

import { make } from '/board.js';
import { count, say } from '/words.js';
import { Grid, coordinates, letter } from './grid.js';
import { $, ask, begin, choices, keep, kept } from './page.js';

const SIZES = [5, 8, 10, 13, 15, 19, 25];
const TIMES = [200, 1000, 3000];
const USUAL = { size: 10, policy: 'evaluator', a: 0.8, time: 1000, mine: 'X', values: false, moves: [] };

const game = kept('gomoku', USUAL);
const grid = new Grid($('board'), play);
let state = { over: false, winner: null, row: [] };
let weights = new Map();
let hinted = null;
/** Answers to a position that is no more are passed over. */
let asked = 0;
let waits = false;
let failed = false;

const toMove = () => (game.moves.length % 2 ? 'O' : 'X');
const myTurn = () => !state.over && toMove() === game.mine;
const name = (move) => {
  const [x, y] = move.split(',').map(Number);
  return `${letter(x)}${game.size - y}`;
};

function question(more) {
  const position = `${game.size}x${game.size}:${game.moves.join(' ')}`;
  return ask('POST', '/api/play/gomoku', { position, policy: game.policy, a: game.a, time_ms: game.time, ...more });
}

/** Asks for what the position needs: the program's move, or how the game stands. */
async function go() {
  const mine = ++asked;
  [weights, hinted, failed] = [new Map(), null, false];
  waits = !myTurn();
  draw();
  try {
    const answer = await question(waits ? { side: toMove() } : { reply: false });
    if (mine !== asked) return;
    if (answer.move) game.moves.push(answer.move);
    state = answer;
  } catch {
    if (mine !== asked) return;
    failed = true;
  }
  waits = false;
  keep('gomoku', game);
  draw();
  if (game.values && myTurn()) await weigh();
}

/** What the evaluator makes of each candidate. */
async function weigh() {
  const mine = asked;
  const answer = await question({ reply: false, values: true }).catch(() => null);
  if (mine !== asked || !answer) return;
  weights = new Map(answer.values.map((v) => [v.cell, v]));
  draw();
}

function play(x, y) {
  const move = `${x},${y}`;
  if (waits || failed || !myTurn() || game.moves.includes(move)) return;
  game.moves.push(move);
  go();
}

function undo() {
  do game.moves.pop(); while (toMove() !== game.mine);
  state = { over: false, winner: null, row: [] };
  go();
}

async function hint() {
  const mine = asked;
  const answer = await question({}).catch(() => null);
  if (mine !== asked || !answer) return;
  hinted = answer.move;
  draw();
}

function renew() {
  Object.assign(game, { size: Number($('size').value), mine: $('begins').value, moves: [] });
  state = { over: false, winner: null, row: [] };
  go();
}

function status() {
  if (failed) return say('noReply');
  if (waits) return say('itThinks');
  if (state.winner) return say(state.winner === game.mine ? 'youWon' : 'youLost');
  return say(state.over ? 'draw' : 'yourTurn');
}

/** The lines under the stones. */
function lines() {
  if (grid.cols === game.size && $('frame').querySelector('.lines')) return;
  for (const old of $('frame').querySelectorAll('.lines, .files, .ranks')) old.remove();
  const n = game.size;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${n} ${n}`);
  svg.setAttribute('class', 'lines');
  svg.setAttribute('aria-hidden', 'true');
  let d = '';
  for (let i = 0; i < n; i++) d += `M${i + 0.5} .5V${n - 0.5}M.5 ${i + 0.5}H${n - 0.5}`;
  svg.append(make('path', { d }));
  $('frame').prepend(svg);
  $('frame').style.setProperty('--cols', n);
  $('frame').append(...coordinates(n, n, letter, (y) => n - y));
  grid.size(n, n);
}

function cells() {
  const last = game.moves.at(-1);
  const best = Math.max(...[...weights.values()].map((w) => w.value), 1);
  for (let y = 0; y < game.size; y++) {
    for (let x = 0; x < game.size; x++) {
      const at = `${x},${y}`;
      const i = game.moves.indexOf(at);
      const stone = i < 0 ? '' : i % 2 ? 'O' : 'X';
      const weight = i < 0 ? weights.get(at) : null;
      const cell = grid.at(x, y);
      cell.className = [stone && `stone ${stone}`, at === last && 'last', state.row.includes(at) && 'won', hinted === at && 'hint',
        weight && 'weighed', weight?.value === best && 'best', !stone && !waits && myTurn() && 'free'].filter(Boolean).join(' ');
      cell.textContent = weight ? short(weight.value) : '';
      if (weight) cell.style.setProperty('--heat', (Math.log1p(weight.value) / Math.log1p(best)).toFixed(2));
      const told = [name(at), stone ? say(stone === game.mine ? 'yours' : 'its') : say('empty')];
      if (at === last) told.push(say('lastMove'));
      if (hinted === at) told.push(say('hintHere'));
      if (state.row.includes(at)) told.push(say('row'));
      if (weight) told.push(say('valueIs', weight.value.toFixed(1)));
      cell.setAttribute('aria-label', told.join(', '));
      cell.title = weight ? say('parts', weight.own, weight.other) : '';
    }
  }
  $('board').dataset.mine = game.mine;
}

/** A number for a small place. */
const short = (v) => (v >= 1000 ? `${Math.round(v / 1000)}k` : v >= 100 ? String(Math.round(v)) : String(Math.round(v * 10) / 10));

function list() {
  const items = [];
  for (let i = 0; i < game.moves.length; i += 2) {
    items.push(make('li', {}, ...game.moves.slice(i, i + 2).map((m) => make('span', {}, name(m)))));
  }
  $('moves').replaceChildren(...items);
  $('moves').scrollTop = $('moves').scrollHeight;
}

function draw() {
  lines();
  cells();
  list();
  $('frame').dataset.turn = state.over ? '' : toMove();
  $('status').textContent = status();
  $('status').className = `status ${state.winner ? (state.winner === game.mine ? 'good' : 'bad') : state.over ? 'even' : waits ? 'busy' : ''}`;
  $('bot').textContent = say(game.policy);
  $('mine').className = `stone ${game.mine}`;
  $('its').className = `stone ${game.mine === 'X' ? 'O' : 'X'}`;
  $('undo').disabled = waits || game.moves.length < (game.mine === 'X' ? 1 : 2);
  $('hint').disabled = waits || !myTurn();
  $('again').hidden = !failed;
  $('values').setAttribute('aria-pressed', String(game.values));
  $('told').textContent = game.a.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1 });
  $('weighs').hidden = game.policy !== 'evaluator' && !game.values;
  $('time').closest('label').hidden = game.policy !== 'search';
}

/** The choices, in the language of this moment. */
function form() {
  choices($('policy'), ['evaluator', 'search'].map((p) => [p, say(p)]), game.policy);
  choices($('time'), TIMES.map((t) => [t, t < 1000 ? `${t / 1000} s` : count('seconds', t / 1000)]), game.time);
  choices($('size'), SIZES.map((n) => [n, `${n} × ${n}`]), game.size);
  choices($('begins'), [['X', say('you')], ['O', say('program')]], game.mine);
  $('a').value = game.a;
  draw();
}

$('undo').addEventListener('click', undo);
$('hint').addEventListener('click', hint);
$('again').addEventListener('click', go);
$('values').addEventListener('click', () => {
  game.values = !game.values;
  weights = new Map();
  keep('gomoku', game);
  draw();
  if (game.values && myTurn() && !waits) weigh();
});
$('a').addEventListener('input', () => {
  game.a = Number($('a').value);
  keep('gomoku', game);
  draw();
});
$('a').addEventListener('change', () => {
  if (game.values && myTurn() && !waits) weigh();
});
$('policy').addEventListener('change', () => {
  game.policy = $('policy').value;
  keep('gomoku', game);
  draw();
});
$('time').addEventListener('change', () => {
  game.time = Number($('time').value);
  keep('gomoku', game);
});
$('new').addEventListener('submit', (e) => {
  e.preventDefault();
  renew();
});
begin(form);
go();
