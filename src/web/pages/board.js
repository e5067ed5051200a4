// Boards as letters in colours, and the lattice over a picture.

/** An element with attributes and text, or children. */
export function make(tag, attributes = {}, ...inside) {
  const svg = ['path', 'text', 'polyline'].includes(tag);
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...inside);
  return e;
}

/** Black or white, whichever is read better on a colour. */
function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000' : '#fff';
}

/** Shows rows of letters; cells that are not as in `other` are marked. */
export function board(place, rows, classes, other = []) {
  const colours = new Map(classes);
  place.style.gridTemplateColumns = `repeat(${rows[0]?.length ?? 1}, max-content)`;
  place.replaceChildren(...rows.flatMap((row, y) => [...row].map((letter, x) => {
    const cell = make('span', {}, letter);
    const colour = colours.get(letter);
    if (colour) {
      cell.style.background = colour;
      cell.style.color = inkOn(colour);
    }
    if (other.length && other[y]?.[x] !== letter) cell.classList.add('differs');
    return cell;
  })));
}

/** px from a point in cells, by the one transform. */
function px(m, x, y) {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

/** Draws the lattice, and what each cell is read as. */
export function lattice(svg, state) {
  const b = state.board;
  if (!b || !state.size) {
    svg.replaceChildren();
    return;
  }
  svg.setAttribute('viewBox', `0 0 ${state.size[0]} ${state.size[1]}`);
  const at = (x, y) => px(b.px_from_cell, x, y).map((v) => v.toFixed(1)).join(' ');
  const lines = [];
  for (let x = 0; x <= b.cols; x++) lines.push(`M${at(x, 0)}L${at(x, b.rows)}`);
  for (let y = 0; y <= b.rows; y++) lines.push(`M${at(0, y)}L${at(b.cols, y)}`);
  const d = lines.join('');
  const [ax, ay] = px(b.px_from_cell, 0, 0);
  const [bx, by] = px(b.px_from_cell, 1, 0);
  const side = Math.hypot(bx - ax, by - ay);
  const letters = b.seen.flatMap((row, y) => [...row].map((letter, x) => {
    const [cx, cy] = px(b.px_from_cell, x + 0.5, y + 0.5);
    const sure = b.confidence[y * b.cols + x] ?? 0;
    const text = make('text', { x: cx.toFixed(1), y: cy.toFixed(1), 'font-size': (side * 0.4).toFixed(1) }, letter);
    if (letter === '?' || sure < 0.9) text.setAttribute('class', 'doubt');
    return text;
  }));
  svg.replaceChildren(make('path', { d, class: 'under' }), make('path', { d }), ...letters);
}
