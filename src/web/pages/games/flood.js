// Flood-It: the game lives here; the server makes boards and knows the fewest moves.

import { make } from '/board.js';
import { count, say } from '/words.js';
import { Grid } from './grid.js';
import { $, ask, begin, choices, keep, kept } from './page.js';

const SIZES = [6, 10, 14, 18, 24];
const COLOURS = [3, 4, 5, 6, 7, 8, 9, 10];
const STEP = 350;
const LETTERS = 'ABCDEFGHIJ';

const game = kept('flood', { size: 14, colours: 6, first: '', limit: 25, moves: '', letters: false });
const grid = new Grid($('board'), (x, y) => play(cells()[y * game.size + x]));
/** What is known of the fewest moves: from the beginning, and from here. */
let first = null;
let here = null;
let hinted = null;
let asked = 0;
let playing = false;

/** The region of the start cell, as a set of places. */
function region(board) {
  const [n, colour] = [game.size, board[0]];
  const open = [0];
  const inside = new Set(open);
  while (open.length) {
    const i = open.pop();
    for (const [to, is] of [[i - 1, i % n > 0], [i + 1, i % n < n - 1], [i - n, i >= n], [i + n, i < n * (n - 1)]]) {
      if (is && board[to] === colour && !inside.has(to)) {
        inside.add(to);
        open.push(to);
      }
    }
  }
  return inside;
}

/** The board after the moves so far. */
function cells() {
  const board = [...game.first];
  for (const colour of game.moves) for (const i of region(board)) board[i] = colour;
  return board;
}

const isOver = (board) => board.every((c) => c === board[0]);
const question = (board, more) => ask('POST', '/api/play/flood', { position: `${game.size}x${game.size}:${board.join('')}`, ...more });

async function renew() {
  const mine = ++asked;
  playing = false;
  const [size, colours] = [Number($('size').value), Number($('colours').value)];
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const made = await ask('GET', `/api/play/flood/boards?size=${size}x${size}&colours=${colours}&seed=${seed}`).catch(() => null);
  if (mine !== asked || !made) return;
  Object.assign(game, { size, colours, first: made.position.split(':')[1], limit: made.limit, moves: '' });
  [first, here, hinted] = [null, null, null];
  changed();
}

/** After each move: what was known of the position is known no more. */
function changed() {
  asked++;
  [here, hinted] = [null, null];
  keep('flood', game);
  draw();
  if (game.first && isOver(cells()) && !first) fewestOfAll();
}

async function fewestOfAll() {
  const mine = asked;
  const answer = await question([...game.first], { time_ms: 3000 }).catch(() => null);
  if (mine !== asked || !answer) return;
  first = answer;
  draw();
}

function play(colour) {
  const board = cells();
  if (playing || colour === undefined || colour === board[0] || isOver(board)) return;
  move(colour);
}

function move(colour) {
  game.moves += colour;
  changed();
}

async function fewest() {
  const mine = asked;
  const answer = await question(cells(), { time_ms: 3000 }).catch(() => null);
  if (mine !== asked || !answer) return null;
  here = answer;
  if (!game.moves) first = answer;
  draw();
  return answer;
}

async function hint() {
  const mine = asked;
  const answer = await question(cells(), {}).catch(() => null);
  if (mine !== asked || !answer) return;
  hinted = answer.move;
  draw();
}

/** Plays a shortest way to the end, a move at a time. */
async function solve() {
  const answer = await fewest();
  if (!answer?.moves) return;
  playing = true;
  draw();
  for (const colour of answer.moves) {
    if (!playing) return;
    move(colour);
    await new Promise((done) => setTimeout(done, STEP));
  }
  playing = false;
  draw();
}

function minimum(over) {
  if (over) return first?.minimum ? count('fewestWas', first.minimum) : '';
  if (!here) return '';
  return here.minimum !== null ? count('fewestIs', here.minimum) : say('between', here.at_least, here.at_most);
}

function draw() {
  if (!game.first) return;
  const [n, board] = [game.size, cells()];
  const inside = region(board);
  const over = isOver(board);
  grid.size(n, n);
  $('board').classList.toggle('lettered', game.letters);
  board.forEach((colour, i) => {
    const cell = grid.cells[i];
    const c = Number(colour);
    cell.className = `c${c} ${inside.has(i) ? 'flooded' : ''} ${i === 0 ? 'first' : ''}`;
    cell.textContent = game.letters ? LETTERS[c] : '';
    const told = [`${(i % n) + 1}, ${Math.floor(i / n) + 1}`, say('colour', LETTERS[c])];
    if (inside.has(i)) told.push(say('flooded'));
    cell.setAttribute('aria-label', told.join(', '));
  });
  palette(board, over);
  const moves = game.moves.length;
  const within = moves <= game.limit;
  $('status').textContent = over ? `${count('done', moves)} ${within ? '' : say('overLimit')}` : say('moveOf', moves, game.limit);
  $('status').className = `status ${over ? (within ? 'good' : 'bad') : ''}`;
  $('progress').max = game.limit;
  $('progress').value = Math.min(moves, game.limit);
  $('minimum').textContent = minimum(over);
  $('undo').disabled = playing || moves === 0;
  for (const id of ['hint', 'fewest', 'solve']) $(id).disabled = playing || over;
  $('repeat').disabled = moves === 0;
  $('letters').checked = game.letters;
}

function palette(board, over) {
  const left = new Set(board);
  const focused = [...$('palette').children].indexOf(document.activeElement);
  $('palette').replaceChildren(...Array.from({ length: game.colours }, (_, c) => {
    const b = make('button', { type: 'button', class: `c${c} ${hinted === String(c) ? 'hint' : ''}`, 'aria-label': say('colour', LETTERS[c]) });
    if (hinted === String(c)) b.setAttribute('aria-label', `${say('colour', LETTERS[c])}, ${say('hintHere')}`);
    b.textContent = game.letters ? LETTERS[c] : '';
    b.setAttribute('aria-disabled', String(over || playing || board[0] === String(c) || !left.has(String(c))));
    b.addEventListener('click', () => {
      if (b.getAttribute('aria-disabled') !== 'true') play(String(c));
    });
    return b;
  }));
  if (focused >= 0) $('palette').children[focused]?.focus();
}

function form() {
  choices($('size'), SIZES.map((n) => [n, `${n} × ${n}`]), game.size);
  choices($('colours'), COLOURS.map((n) => [n, String(n)]), game.colours);
  draw();
}

$('undo').addEventListener('click', () => {
  game.moves = game.moves.slice(0, -1);
  changed();
});
$('repeat').addEventListener('click', () => {
  playing = false;
  game.moves = '';
  changed();
});
$('hint').addEventListener('click', hint);
$('fewest').addEventListener('click', fewest);
$('solve').addEventListener('click', solve);
$('letters').addEventListener('change', () => {
  game.letters = $('letters').checked;
  keep('flood', game);
  draw();
});
$('new').addEventListener('submit', (e) => {
  e.preventDefault();
  renew();
});
// Letters and numbers of the colours, wherever the focus is but in a field.
document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.matches('select, input')) return;
  const c = /^[0-9]$/.test(e.key) ? (Number(e.key) + 9) % 10 : LETTERS.toLowerCase().indexOf(e.key.toLowerCase());
  if (e.key.length === 1 && c >= 0 && c < game.colours && cells().includes(String(c))) play(String(c));
});
begin(form);
if (game.first) changed();
else renew();
