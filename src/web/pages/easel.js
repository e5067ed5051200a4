// The easel: a picture with four corners to be dragged, the lattice between them, a magnifier.

import { lattice, make } from './board.js';
import { say } from './words.js';

const $ = (id) => document.getElementById(id);
/** px that an arrow key moves a corner by, and with Control. */
const STEP = 0.1;
const LEAP = 1;
/** How much the magnifier magnifies, and how much longer residuals are drawn at most. */
const ZOOM = 8;
const LONGER = 8;
/** A press that moves less than this is a click, in CSS px. */
const CLICK = 4;
const NAMES = ['topLeft', 'topRight', 'bottomRight', 'bottomLeft'];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let corners = null;
let size = null;
let answer = null;
let chosen = null;
let moved = () => {};
let picked = () => {};
let grabbed = null;

/** px from cells through four outer corners, as the server has it (Heckbert 1989). */
export function fromCorners(cols, rows, [p0, p1, p2, p3]) {
  const [dx1, dx2, dy1, dy2] = [p1[0] - p2[0], p3[0] - p2[0], p1[1] - p2[1], p3[1] - p2[1]];
  const [sx, sy] = [0, 1].map((k) => p0[k] - p1[k] + p2[k] - p3[k]);
  const det = dx1 * dy2 - dx2 * dy1;
  if (Math.abs(det) < 1e-9) return null;
  const g = (sx * dy2 - dx2 * sy) / det;
  const h = (dx1 * sy - sx * dy1) / det;
  const row = (k) => [(p1[k] - p0[k] + g * p1[k]) / cols, (p3[k] - p0[k] + h * p3[k]) / rows, p0[k]];
  return [...row(0), ...row(1), g / cols, h / rows, 1];
}

/** The point of cell space under a place of the picture. */
function cellAt(m, x, y) {
  const a = [m[0] - x * m[6], m[1] - x * m[7], x * m[8] - m[2]];
  const b = [m[3] - y * m[6], m[4] - y * m[7], y * m[8] - m[5]];
  const det = a[0] * b[1] - a[1] * b[0];
  return [(a[2] * b[1] - a[1] * b[2]) / det, (a[0] * b[2] - a[2] * b[0]) / det];
}

const picture = () => $('easel-picture');
const scale = () => picture().clientWidth / (picture().naturalWidth || 1);
const place = (e) => {
  const box = picture().getBoundingClientRect();
  return [(e.clientX - box.left) / scale(), (e.clientY - box.top) / scale()];
};

/** Shows four corners and a size; `board` is what the server said of them, `null` not yet. */
export function show(given, cols, rows, board) {
  [corners, size, answer] = [given.map((p) => [...p]), [cols, rows], board];
  draw();
}

/** Marks a cell; `null` none. */
export function mark(cell) {
  chosen = cell;
  draw();
}

/** Another picture, at this address. */
export function load(address) {
  picture().src = address;
}

/** Whether somebody is moving a corner just now. */
export const isBusy = () => grabbed !== null;

function draw() {
  const natural = [picture().naturalWidth, picture().naturalHeight];
  if (!corners || !natural[0]) return;
  const m = fromCorners(...size, corners);
  const fresh = answer && grabbed === null;
  const board = fresh ? answer : { cols: size[0], rows: size[1], px_from_cell: m, seen: [], confidence: [], classes: [] };
  if (m) lattice($('easel-lattice'), { board, size: natural });
  const d = fresh ? residuals(answer.residuals) : '';
  $('easel-lattice').append(make('path', { d, class: 'under' }), make('path', { d, class: 'off' }));
  if (chosen && m) $('easel-lattice').append(make('path', { d: outline(m), class: 'chosen' }));
  const stage = [picture().clientWidth, picture().clientHeight];
  corners.forEach(([x, y], i) => {
    const handle = $(`corner-${i}`);
    // A corner beside the picture can be taken at its edge.
    const at = [x, y].map((v, k) => Math.min(Math.max(v * scale(), 0), stage[k]));
    [handle.style.left, handle.style.top] = at.map((v) => `${v}px`);
    handle.setAttribute('aria-label', say('cornerAt', say(NAMES[i]), x.toFixed(1), y.toFixed(1)));
  });
}

function residuals(all) {
  const cell = Math.hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]) / size[0];
  const most = Math.max(...all.map(([, , dx, dy]) => Math.hypot(dx, dy)), 0.1);
  const longer = Math.min(LONGER, (0.7 * cell) / most);
  const line = ([x, y, dx, dy]) => `M${x.toFixed(1)} ${y.toFixed(1)}l${(longer * dx).toFixed(1)} ${(longer * dy).toFixed(1)}`;
  return all.filter(([, , dx, dy]) => Math.hypot(dx, dy) > 0.2).map(line).join('');
}

function outline(m) {
  const [c, r] = chosen;
  const at = ([x, y]) => {
    const w = m[6] * x + m[7] * y + m[8];
    return `${(m[0] * x + m[1] * y + m[2]) / w} ${(m[3] * x + m[4] * y + m[5]) / w}`;
  };
  return `M${[[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]].map(at).join('L')}Z`;
}

/** The surroundings of a corner, larger, where they hide least. */
function magnify(i) {
  const loupe = $('loupe');
  loupe.hidden = i === null;
  if (i === null) return;
  const [x, y] = corners[i];
  const side = loupe.width / ZOOM;
  const pen = loupe.getContext('2d');
  pen.imageSmoothingEnabled = false;
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, loupe.width, loupe.height);
  pen.drawImage(picture(), x - side / 2, y - side / 2, side, side, 0, 0, loupe.width, loupe.height);
  for (const [width, colour] of [[3, '#000'], [1, '#fff']]) {
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.beginPath();
    for (const [a, b] of [[(i + 1) % 4, i], [i, (i + 3) % 4]]) {
      const of = (k) => [(corners[k][0] - x + side / 2) * ZOOM, (corners[k][1] - y + side / 2) * ZOOM];
      pen.moveTo(...of(a));
      pen.lineTo(...of(b));
    }
    pen.stroke();
  }
  const left = x * scale() < picture().clientWidth / 2;
  loupe.classList.toggle('right', left);
}

function grab(i, e) {
  const [x, y] = place(e);
  grabbed = { i, from: [corners[i][0] - x, corners[i][1] - y] };
  e.currentTarget.setPointerCapture(e.pointerId);
  // The browser would scroll, or drag the picture.
  e.preventDefault();
  e.currentTarget.focus({ preventScroll: true });
  magnify(i);
}

function drag(e) {
  if (!grabbed) return;
  const [x, y] = place(e);
  corners[grabbed.i] = [x + grabbed.from[0], y + grabbed.from[1]];
  draw();
  magnify(grabbed.i);
}

function drop() {
  if (!grabbed) return;
  grabbed = null;
  answer = null;
  draw();
  magnify(null);
  moved(corners.map((p) => [...p]));
}

/** Arrow keys move a corner; with Shift the edges opposite of it. */
function nudge(i, e) {
  const arrow = ARROWS[e.key];
  if (!arrow || e.altKey || e.metaKey) return;
  e.preventDefault();
  const by = arrow.map((v) => v * (e.ctrlKey ? LEAP : STEP));
  // Corners that share a column with the opposite one, and a row.
  const far = (i + 2) % 4;
  const beside = { across: [far, i % 2 ? (i + 3) % 4 : (i + 1) % 4], down: [far, i % 2 ? (i + 1) % 4 : (i + 3) % 4] };
  const which = !e.shiftKey ? [i] : arrow[0] ? beside.across : beside.down;
  for (const k of which) corners[k] = corners[k].map((v, axis) => Math.round((v + by[axis]) * 1000) / 1000);
  answer = null;
  draw();
  magnify(i);
  moved(corners.map((p) => [...p]), `key ${which.join()}`);
}

/** Tells of moved corners (and what moved them, where it goes on), and of cells that are clicked. */
export function begin(onMove, onPick) {
  [moved, picked] = [onMove, onPick];
  NAMES.forEach((_, i) => {
    const handle = $(`corner-${i}`);
    handle.addEventListener('pointerdown', (e) => grab(i, e));
    handle.addEventListener('pointermove', drag);
    handle.addEventListener('pointerup', drop);
    handle.addEventListener('pointercancel', drop);
    handle.addEventListener('keydown', (e) => nudge(i, e));
    handle.addEventListener('focus', () => { if (handle.matches(':focus-visible')) magnify(i); });
    handle.addEventListener('blur', () => magnify(null));
  });
  let down = null;
  picture().addEventListener('pointerdown', (e) => { down = [e.clientX, e.clientY]; });
  picture().addEventListener('pointerup', (e) => {
    const far = down ? Math.hypot(e.clientX - down[0], e.clientY - down[1]) : CLICK;
    down = null;
    const m = corners && fromCorners(...size, corners);
    if (far >= CLICK || !m) return;
    const cell = cellAt(m, ...place(e)).map(Math.floor);
    if (cell.every((v, k) => v >= 0 && v < size[k])) picked(cell);
  });
  picture().addEventListener('load', () => {
    draw();
    const held = NAMES.findIndex((_, i) => document.activeElement === $(`corner-${i}`));
    if (held >= 0 && corners && !$('loupe').hidden) magnify(held);
  });
  new ResizeObserver(draw).observe(picture());
}
