// A board of buttons that a mouse, a finger, arrow keys and a screen reader can use.

import { make } from '/board.js';

/** Letters of columns, as in `h8`. */
export const letter = (x) => String.fromCharCode(97 + x);

/** A grid in `place`: `act(x, y)` is called for a cell that is clicked or entered. */
export class Grid {
  constructor(place, act) {
    this.place = place;
    this.act = act;
    this.cols = 0;
    this.rows = 0;
    this.cells = [];
    place.setAttribute('role', 'grid');
    place.addEventListener('click', (e) => {
      const at = this.cells.indexOf(e.target.closest('button'));
      if (at >= 0) this.act(at % this.cols, Math.floor(at / this.cols));
    });
    place.addEventListener('keydown', (e) => this.key(e));
    place.addEventListener('focusin', (e) => {
      const at = this.cells.indexOf(e.target);
      if (at >= 0) this.stand(at);
    });
  }

  /** A board of another size. */
  size(cols, rows) {
    if (cols === this.cols && rows === this.rows) return;
    [this.cols, this.rows] = [cols, rows];
    this.place.style.setProperty('--cols', cols);
    this.place.style.setProperty('--rows', rows);
    this.cells = [];
    this.place.replaceChildren(...Array.from({ length: rows }, () => {
      const row = Array.from({ length: cols }, () => make('button', { type: 'button', role: 'gridcell', tabindex: '-1' }));
      this.cells.push(...row);
      return make('div', { role: 'row' }, ...row);
    }));
    this.here = Math.floor(rows / 2) * cols + Math.floor(cols / 2);
    this.cells[this.here].tabIndex = 0;
  }

  at(x, y) {
    return this.cells[y * this.cols + x];
  }

  /** The one cell that Tab reaches. */
  stand(at) {
    this.cells[this.here].tabIndex = -1;
    this.here = at;
    this.cells[at].tabIndex = 0;
  }

  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const [x, y] = [this.here % this.cols, Math.floor(this.here / this.cols)];
    const to = {
      ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1],
      Home: [0, y], End: [this.cols - 1, y], PageUp: [x, 0], PageDown: [x, this.rows - 1],
    }[e.key];
    if (!to) return;
    e.preventDefault();
    const [nx, ny] = [Math.min(Math.max(to[0], 0), this.cols - 1), Math.min(Math.max(to[1], 0), this.rows - 1)];
    this.at(nx, ny).focus();
  }
}

/** The names of columns and rows around a board. */
export function coordinates(cols, rows, colName, rowName) {
  const strip = (kind, names) => make('div', { class: kind, 'aria-hidden': 'true' }, ...names.map((n) => make('span', {}, String(n))));
  return [
    strip('files', Array.from({ length: cols }, (_, x) => colName(x))),
    strip('ranks', Array.from({ length: rows }, (_, y) => rowName(y))),
  ];
}
