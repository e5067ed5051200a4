// The table: the rectangle and the figures, drawn, dragged and moved by keys.

const SVG = 'http://www.w3.org/2000/svg';
const table = document.getElementById('table');
const target = document.getElementById('target');

/** The level that lies on the table, the seconds spent with it, and whether it is solved. */
let level = null;
let seconds = 0;
let finished = false;
/** Where everything lies; what the keyboard holds: a figure, its place, and where it was. */
let plan = null;
let held = null;

function svg(name, attributes, parent) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  parent?.append(e);
  return e;
}

const KINDS = ['0,0 1,0', '0,0 0,1', '0,0 1,0 2,0', '0,0 0,1 0,2', '0,0 1,0 0,1', '0,0 1,0 1,1', '0,0 0,1 1,1', '1,0 0,1 1,1'];
const kindOf = (f) => (f.turns ? 'turns' : `k${KINDS.indexOf(f.cells.map((p) => p.join()).join(' '))}`);

/** Puts a level on the table. */
function deal(next) {
  level = next;
  held = null;
  finished = false;
  table.classList.remove('done');
  table.querySelectorAll('.figure').forEach((e) => e.remove());
  for (const f of level.figures) {
    f.button = document.createElement('button');
    f.button.type = 'button';
    f.button.className = `figure ${kindOf(f)}`;
    f.button.figure = f;
    table.append(f.button);
    draw(f);
  }
  arrange();
}

function draw(f) {
  const [w, h] = [widthOf(f.cells), heightOf(f.cells)];
  const has = (c, r) => f.cells.some(([x, y]) => x === c && y === r);
  const picture = svg('svg', { viewBox: `0 0 ${w * 100} ${h * 100}`, 'aria-hidden': true });
  svg('path', { class: 'body', d: outline(f.cells, 100, 4, 18) }, picture);
  svg('path', { class: 'light', d: outline(f.cells, 100, 13, 11) }, picture);
  for (const [c, r] of f.cells) {
    if (has(c + 1, r)) svg('path', { class: 'seam', d: `M${c * 100 + 100} ${r * 100 + 22}v56` }, picture);
    if (has(c, r + 1)) svg('path', { class: 'seam', d: `M${c * 100 + 22} ${r * 100 + 100}h56` }, picture);
  }
  if (f.turns) {
    // On the square that is nearest to all others.
    const far = ([c, r]) => f.cells.reduce((sum, [x, y]) => sum + Math.abs(x - c) + Math.abs(y - r), 0);
    const [c, r] = f.cells.reduce((best, p) => (far(p) < far(best) ? p : best));
    const ring = svg('g', { class: 'ring', transform: `translate(${c * 100 + 50} ${r * 100 + 50})` }, picture);
    svg('circle', { r: 33 }, ring);
    svg('path', { d: 'M15 -10A18 18 0 1 0 18 4' }, ring);
    svg('path', { class: 'tip', d: 'M5 -11L23 -7L20 -26Z' }, ring);
  }
  f.button.replaceChildren(picture);
}

/** Finds places for everything in the window as it is. */
function arrange() {
  const room = document.querySelector('main');
  const style = getComputedStyle(room);
  const across = room.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const taken = document.querySelector('header').offsetHeight + document.querySelector('footer').offsetHeight + document.getElementById('says').offsetHeight;
  plan = layout(level, across, Math.max(240, window.innerHeight - taken - 40));
  const { unit } = plan;
  table.style.width = `${plan.width * unit}px`;
  table.style.height = `${plan.height * unit}px`;
  target.replaceChildren();
  target.setAttribute('viewBox', `0 0 ${level.cols * 100} ${level.rows * 100}`);
  target.style.width = `${level.cols * unit}px`;
  target.style.height = `${level.rows * unit}px`;
  target.style.transform = `translate(${plan.target[0] * unit}px, ${plan.target[1] * unit}px)`;
  for (let r = 0; r < level.rows; r++) {
    for (let c = 0; c < level.cols; c++) svg('rect', { x: c * 100 + 3, y: r * 100 + 3, width: 94, height: 94, rx: 12 }, target);
  }
  for (const f of level.figures) {
    f.button.style.width = `${widthOf(f.cells) * unit}px`;
    f.button.style.height = `${heightOf(f.cells) * unit}px`;
    settle(f);
  }
  tellTable();
}

/** Puts a figure where it belongs: into the rectangle, or to its place beside it. */
function settle(f) {
  const [x, y] = held?.figure === f ? [plan.target[0] + held.at[0], plan.target[1] + held.at[1]]
    : f.at ? [plan.target[0] + f.at[0], plan.target[1] + f.at[1]] : plan.slots[level.figures.indexOf(f)];
  put(f, x * plan.unit, y * plan.unit);
}

function put(f, x, y) {
  f.button.style.transform = `translate(${x}px, ${y}px)`;
  f.spot = [x, y];
}

/** Says to ears what is to be seen. */
function tellTable() {
  const free = level.cols * level.rows - ground(level).filter(Boolean).length;
  target.setAttribute('aria-label', say('target', level.cols, level.rows, free));
  for (const f of level.figures) {
    const where = f.at ? say('lies', f.at[0] + 1, f.at[1] + 1) : say('loose');
    const shape = say('figure', count('squares', f.cells.length), spokenShape(f.cells));
    f.button.setAttribute('aria-label', [shape, f.turns ? say('turns') : '', where].filter(Boolean).join('; '));
    f.button.setAttribute('aria-pressed', held?.figure === f);
    f.button.classList.toggle('placed', f.at !== null && held?.figure !== f);
    f.button.classList.toggle('held', held?.figure === f);
    f.button.classList.toggle('misfit', held?.figure === f && !fitsAt(level, f, held.at));
  }
}

/** Shows under a figure the squares that it would cover; nothing takes them away. */
function shade(f, at) {
  const rects = target.children;
  for (const rect of rects) rect.removeAttribute('class');
  if (!f || !at) return;
  const kind = fitsAt(level, f, at) ? 'fits' : 'covered';
  for (const [c, r] of f.cells) {
    const [x, y] = [at[0] + c, at[1] + r];
    if (x >= 0 && y >= 0 && x < level.cols && y < level.rows) rects[y * level.cols + x].setAttribute('class', kind);
  }
}

/** A figure has found its place, or left it. */
function lay(f, at) {
  f.at = at;
  settle(f);
  shade();
  tellTable();
  save();
  if (level.figures.every((g) => g.at)) solvedNow();
}

/** Turns the figure that may be turned; where it fits no more it goes back. */
function turnFigure(f) {
  if (!f.turns || finished) return;
  turn(f);
  draw(f);
  if (f.at && !fitsAt(level, f, f.at)) f.at = null;
  arrange();
  if (held) shade(held.figure, held.at);
  announce(say('turned', spokenShape(f.cells)));
  if (held?.figure !== f) lay(f, f.at);
}

// Dragging, by whatever points.

/** How far something moves before it counts as dragged, in CSS pixels. */
const STILL = 5;
let drag = null;

table.addEventListener('pointerdown', (event) => {
  const f = event.target.closest?.('.figure')?.figure;
  if (!f || drag || finished || event.button !== 0 || !event.isPrimary) return;
  letGo();
  drag = { f, id: event.pointerId, from: [event.clientX, event.clientY], spot: f.spot, moved: false, lift: event.pointerType === 'touch' ? plan.unit * 0.6 : 0 };
  f.button.setPointerCapture(event.pointerId);
});

/** The square under the corner of a dragged figure; nothing when it is not over the rectangle. */
function squareUnder(f) {
  const [x, y] = f.spot.map((v, i) => v / plan.unit - plan.target[i]);
  const [mx, my] = [x + widthOf(f.cells) / 2, y + heightOf(f.cells) / 2];
  const over = mx > -0.5 && my > -0.5 && mx < level.cols + 0.5 && my < level.rows + 0.5;
  return over ? [Math.round(x), Math.round(y)] : null;
}

table.addEventListener('pointermove', (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const by = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
  if (!drag.moved && Math.hypot(...by) < STILL) return;
  drag.moved = true;
  drag.f.button.classList.add('dragged');
  put(drag.f, drag.spot[0] + by[0], drag.spot[1] + by[1] - drag.lift);
  shade(drag.f, squareUnder(drag.f));
});

function drop(event, kept) {
  if (!drag || event.pointerId !== drag.id) return;
  const { f, moved } = drag;
  const at = moved && kept ? squareUnder(f) : null;
  drag = null;
  f.button.classList.remove('dragged');
  if (!moved && kept && f.turns) turnFigure(f);
  else if (!moved || !kept) settle(f);
  else if (at && !fitsAt(level, f, at)) lay(f, f.at);
  else lay(f, at);
  shade();
}
table.addEventListener('pointerup', (event) => drop(event, true));
table.addEventListener('pointercancel', (event) => drop(event, false));
table.addEventListener('lostpointercapture', (event) => drop(event, false));

// Keys.

/** Lets go of what the keyboard holds; it lies where it lay. */
function letGo() {
  if (!held) return;
  const f = held.figure;
  held = null;
  settle(f);
  shade();
  tellTable();
}

function holdAt(f, at) {
  const limit = (v, most) => Math.max(0, Math.min(most, v));
  held = { figure: f, at: [limit(at[0], level.cols - widthOf(f.cells)), limit(at[1], level.rows - heightOf(f.cells))] };
  settle(f);
  shade(f, held.at);
  tellTable();
  announce(say('held', held.at[0] + 1, held.at[1] + 1, say(fitsAt(level, f, held.at) ? 'fits' : 'covered')));
}

/** The first square of the rectangle where a figure fits, or its corner. */
function firstFit(f) {
  for (let r = 0; r < level.rows; r++) for (let c = 0; c < level.cols; c++) if (fitsAt(level, f, [c, r])) return [c, r];
  return [0, 0];
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

table.addEventListener('keydown', (event) => {
  const f = event.target.figure;
  if (!f || finished || drag || event.ctrlKey || event.altKey || event.metaKey) return;
  const arrow = ARROWS[event.key];
  if (arrow && held) holdAt(held.figure, [held.at[0] + arrow[0], held.at[1] + arrow[1]]);
  else if (arrow) {
    const all = level.figures;
    all[(all.indexOf(f) + arrow[0] + arrow[1] + all.length) % all.length].button.focus();
  } else if (event.key === 'Enter' || event.key === ' ') {
    if (!held) holdAt(f, f.at ?? firstFit(f));
    else if (fitsAt(level, held.figure, held.at)) {
      const { figure, at } = held;
      held = null;
      announce(say('laid'));
      lay(figure, at);
    } else announce(say('covered'));
  } else if (event.key === 'Escape' && held) letGo();
  else if (event.key === 'Delete' || event.key === 'Backspace') {
    held = null;
    announce(say('back'));
    lay(f, null);
  } else if (event.key.toLowerCase() === 'r') {
    turnFigure(f);
    if (held?.figure === f) holdAt(f, held.at);
  } else return;
  event.preventDefault();
});
// What is held and left is let go.
table.addEventListener('focusout', (event) => { if (held?.figure.button === event.target) letGo(); });
