// Connect-4 against a policy of the server. The game lives here; each request brings all of it.

import { make } from '/board.js';
import { count, say } from '/words.js';
import { Grid } from './grid.js';
import { $, ask, begin, choices, keep, kept } from './page.js';

const SIZES = ['7x6x4', '5x4x4', '6x5x4', '8x7x4', '8x8x4', '9x7x4', '9x6x5'];
const DEPTHS = [1, 2, 4, 6, 8];
const USUAL = { size: '7x6x4', policy: 'perfect', depth: 6, mine: 'X', values: false, moves: '' };

const game = kept('connect4', USUAL);
const grid = new Grid($('board'), play);
let state = { over: false, winner: null, row: [] };
/** What is known of each column, for whom it is to move. */
let known = null;
let hinted = null;
let asked = 0;
let waits = false;
let failed = false;

const shape = () => game.size.split('x').map(Number);
const toMove = () => (game.moves.length % 2 ? 'O' : 'X');
const myTurn = () => !state.over && toMove() === game.mine;
const columnOf = (c) => parseInt(c, 36) - 1;
const letterOf = (x) => (x + 1).toString(36);
const height = (x) => [...game.moves].filter((c) => columnOf(c) === x).length;

function question(more) {
  const policy = game.policy === 'perfect' ? { policy: 'perfect' } : { policy: 'minimax', depth: game.depth };
  return ask('POST', '/api/play/connect4', { position: `${game.size}:${game.moves}`, ...policy, ...more });
}

async function go() {
  const mine = ++asked;
  [known, hinted, failed] = [null, null, false];
  waits = !myTurn();
  draw();
  try {
    const answer = await question(waits ? { side: toMove() } : { reply: false });
    if (mine !== asked) return;
    if (answer.move) game.moves += answer.move;
    state = answer;
  } catch {
    if (mine !== asked) return;
    failed = true;
  }
  waits = false;
  keep('connect4', game);
  draw();
  if (game.values && myTurn()) await judge();
}

/** The score of every column. */
async function judge() {
  const mine = asked;
  const answer = await question({ reply: false, scores: true, time_ms: 3000 }).catch(() => null);
  if (mine !== asked || !answer) return;
  known = answer;
  draw();
}

function play(x) {
  const [, rows] = shape();
  if (waits || failed || !myTurn() || height(x) >= rows) return;
  game.moves += letterOf(x);
  go();
}

function undo() {
  do game.moves = game.moves.slice(0, -1); while (toMove() !== game.mine);
  state = { over: false, winner: null, row: [] };
  go();
}

async function hint() {
  const mine = asked;
  const answer = await question({ policy: 'perfect', depth: undefined }).catch(() => null);
  if (mine !== asked || !answer) return;
  hinted = columnOf(answer.move);
  draw();
}

function renew() {
  Object.assign(game, { size: $('size').value, mine: $('begins').value, moves: '' });
  state = { over: false, winner: null, row: [] };
  go();
}

function status() {
  if (failed) return say('noReply');
  if (waits) return say('itThinks');
  if (state.winner) return say(state.winner === game.mine ? 'youWon' : 'youLost');
  return say(state.over ? 'draw' : 'yourTurn');
}

/** A score in words: how many discs of the winner's until then. */
function inWords(score) {
  const [cols, rows] = shape();
  if (score === 0) return say('draws');
  // Half of what the cells and one more exceed the discs before the winning move by.
  const discs = game.moves.length;
  let at = cols * rows + 1 - 2 * Math.abs(score);
  if (((at - discs) % 2 === 0) !== score > 0) at -= 1;
  return count(score > 0 ? 'winsIn' : 'losesIn', at - discs + 1);
}

function scores() {
  const [cols, rows] = shape();
  $('scores').hidden = !game.values;
  if (!game.values) return;
  $('scores').style.setProperty('--cols', cols);
  const all = known?.scores ?? [];
  const best = Math.max(...all.filter((s) => s !== null));
  $('scores').replaceChildren(...Array.from({ length: cols }, (_, x) => {
    const score = all[x] ?? null;
    const bound = known?.bounds?.[x];
    let text = '';
    if (score !== null) text = score > 0 ? `+${score}` : String(score).replace('-', '−');
    else if (bound) text = bound[0] > 0 ? '>0' : bound[1] < 0 ? '<0' : '?';
    const kind = score === null ? 'none' : score > 0 ? 'wins' : score < 0 ? 'loses' : 'level';
    const told = score !== null ? inWords(score) : height(x) >= rows ? say('full') : say('unknown');
    const e = make('span', { class: `${kind} ${score === best ? 'best' : ''}`, title: told }, text);
    e.setAttribute('aria-label', `${say('column', x + 1)}: ${text} ${told}`);
    e.setAttribute('role', 'img');
    return e;
  }));
}

function cells() {
  const [cols, rows] = shape();
  grid.size(cols, rows);
  const heights = Array(cols).fill(0);
  const discs = new Map();
  let last = '';
  [...game.moves].forEach((c, i) => {
    const x = columnOf(c);
    last = `${x},${rows - 1 - heights[x]++}`;
    discs.set(last, i % 2 ? 'O' : 'X');
  });
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < cols; x++) {
      const at = `${x},${y}`;
      const disc = discs.get(at);
      const lands = !disc && y === rows - 1 - heights[x];
      const cell = grid.at(x, y);
      const names = [disc && `disc ${disc}`, at === last && 'last', state.row.includes(at) && 'won', lands && hinted === x && 'hint',
        lands && !waits && myTurn() && 'lands'].filter(Boolean).join(' ');
      if (cell.className !== names) cell.className = names;
      cell.style.setProperty('--y', y + 1);
      const told = [`${say('column', x + 1)}, ${rows - y}`, disc ? say(disc === game.mine ? 'yours' : 'its') : say('empty')];
      if (at === last) told.push(say('lastMove'));
      if (state.row.includes(at)) told.push(say('row'));
      if (lands && hinted === x) told.push(say('hintHere'));
      const score = known?.scores?.[x];
      if (lands && score !== null && score !== undefined) told.push(inWords(score));
      cell.setAttribute('aria-label', told.join(', '));
    }
  }
  $('board').dataset.mine = game.mine;
  $('columns').style.setProperty('--cols', cols);
  $('columns').replaceChildren(...Array.from({ length: cols }, (_, x) => make('span', {}, letterOf(x))));
}

function list() {
  const items = [];
  for (let i = 0; i < game.moves.length; i += 2) {
    items.push(make('li', {}, ...[...game.moves.slice(i, i + 2)].map((m) => make('span', {}, m))));
  }
  $('moves').replaceChildren(...items);
  $('moves').scrollTop = $('moves').scrollHeight;
}

const nameOf = (policy, depth) => (policy === 'perfect' ? say('perfect') : count('ahead', depth));

function draw() {
  cells();
  scores();
  list();
  $('status').textContent = status();
  $('status').className = `status ${state.winner ? (state.winner === game.mine ? 'good' : 'bad') : state.over ? 'even' : waits ? 'busy' : ''}`;
  $('bot').textContent = nameOf(game.policy, game.depth);
  $('mine').className = `disc ${game.mine}`;
  $('its').className = `disc ${game.mine === 'X' ? 'O' : 'X'}`;
  $('undo').disabled = waits || game.moves.length < (game.mine === 'X' ? 1 : 2);
  $('hint').disabled = waits || !myTurn();
  $('again').hidden = !failed;
  $('values').setAttribute('aria-pressed', String(game.values));
  $('meaning').hidden = !game.values;
}

function form() {
  const policies = [['perfect', say('perfect')], ...DEPTHS.map((d) => [String(d), count('ahead', d)])];
  choices($('policy'), policies, game.policy === 'perfect' ? 'perfect' : String(game.depth));
  const named = (s) => {
    const [cols, rows, row] = s.split('x');
    return row === '4' ? `${cols} × ${rows}` : `${cols} × ${rows} (${row})`;
  };
  choices($('size'), SIZES.map((s) => [s, named(s)]), game.size);
  choices($('begins'), [['X', say('you')], ['O', say('program')]], game.mine);
  draw();
}

$('undo').addEventListener('click', undo);
$('hint').addEventListener('click', hint);
$('again').addEventListener('click', go);
$('values').addEventListener('click', () => {
  game.values = !game.values;
  known = null;
  keep('connect4', game);
  draw();
  if (game.values && myTurn() && !waits) judge();
});
$('policy').addEventListener('change', () => {
  const chosen = $('policy').value;
  game.policy = chosen === 'perfect' ? 'perfect' : 'minimax';
  if (chosen !== 'perfect') game.depth = Number(chosen);
  keep('connect4', game);
  draw();
});
$('new').addEventListener('submit', (e) => {
  e.preventDefault();
  renew();
});
begin(form);
go();
