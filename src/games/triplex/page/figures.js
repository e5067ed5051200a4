// Levels and figures as data: a figure is a list of [column, row]. No page is touched here.

const widthOf = (cells) => Math.max(...cells.map(([c]) => c)) + 1;
const heightOf = (cells) => Math.max(...cells.map(([, r]) => r)) + 1;
const byPlace = ([c, r], [d, s]) => r - s || c - d;

/** Turned by a quarter, clockwise. */
function turnedCells(cells) {
  const last = heightOf(cells) - 1;
  return cells.map(([c, r]) => [last - r, c]).sort(byPlace);
}

/** A level from its text, as in `3x2 xx x/x o/o`. */
function levelOf(text) {
  const [size, ...words] = text.split(' ');
  const [cols, rows] = size.split('x').map(Number);
  const figures = [];
  for (const word of words) {
    const [, n, shape] = word.match(/^(?:(\d+)\*)?(.+)$/);
    const cells = [];
    shape.split('/').forEach((row, r) => [...row].forEach((s, c) => { if (s !== '.') cells.push([c, r]); }));
    for (let i = 0; i < Number(n ?? 1); i++) figures.push({ cells, turns: shape.includes('o'), turned: 0, at: null });
  }
  return { cols, rows, figures };
}

/** The same order for the same seed, and no pattern in it. */
function shuffle(list, seed) {
  let state = seed * 2654435761 + 1;
  for (let i = list.length - 1; i > 0; i--) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) | 0;
    const j = ((state >>> 8) % (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
}

/** Which figure lies on each square. */
function ground(level, but) {
  const grid = new Array(level.cols * level.rows).fill(null);
  for (const f of level.figures) {
    if (f === but || !f.at) continue;
    for (const [c, r] of f.cells) grid[(f.at[1] + r) * level.cols + f.at[0] + c] = f;
  }
  return grid;
}

/** Whether a figure can lie with the corner of its box at a square. */
function fitsAt(level, figure, [col, row]) {
  const grid = ground(level, figure);
  return figure.cells.every(([c, r]) => {
    const [x, y] = [col + c, row + r];
    return x >= 0 && y >= 0 && x < level.cols && y < level.rows && !grid[y * level.cols + x];
  });
}

/** The solution in the one way it is written: letters in the order of the first squares. */
function solutionOf(level) {
  const names = new Map();
  const letters = ground(level).map((f) => {
    if (!names.has(f)) names.set(f, String.fromCharCode(97 + names.size));
    return names.get(f);
  });
  const row = (r) => letters.slice(r * level.cols, (r + 1) * level.cols).join('');
  return Array.from({ length: level.rows }, (_, r) => row(r)).join('/');
}

/** Its squares row by row, for ears: `xx/.x` with numbers of columns. */
function spokenShape(cells) {
  const rows = Array.from({ length: heightOf(cells) }, (_, r) => cells.filter((p) => p[1] === r).map(([c]) => c + 1));
  return rows.map((cols, r) => `${say('row', r + 1)} – ${cols.join(', ')}`).join('; ');
}

/** The outline of a figure, drawn `inset` inside its squares and rounded, as an SVG path. */
function outline(cells, unit, inset, round) {
  const has = (c, r) => cells.some(([x, y]) => x === c && y === r);
  const next = new Map();
  const edge = (a, b) => next.set(a.join(), b);
  for (const [c, r] of cells) {
    if (!has(c, r - 1)) edge([c, r], [c + 1, r]);
    if (!has(c + 1, r)) edge([c + 1, r], [c + 1, r + 1]);
    if (!has(c, r + 1)) edge([c + 1, r + 1], [c, r + 1]);
    if (!has(c - 1, r)) edge([c, r + 1], [c, r]);
  }
  const from = cells[0];
  const ring = [];
  for (let at = from; ring.length === 0 || at.join() !== from.join(); at = next.get(at.join())) ring.push(at);
  const way = (a, b) => [b[0] - a[0], b[1] - a[1]];
  const corners = ring.map((p, i) => {
    const before = ring[(i + ring.length - 1) % ring.length];
    return { p, d: way(before, p), e: way(p, ring[(i + 1) % ring.length]) };
  }).filter(({ d, e }) => d.join() !== e.join());
  const parts = corners.map(({ p, d, e }, i) => {
    // What is inside lies to the right of the way along the edge.
    const x = p[0] * unit + inset * (-d[1] - e[1]);
    const y = p[1] * unit + inset * (d[0] + e[0]);
    const start = `${x - d[0] * round} ${y - d[1] * round}`;
    return `${i ? 'L' : 'M'}${start}Q${x} ${y} ${x + e[0] * round} ${y + e[1] * round}`;
  });
  return `${parts.join('')}Z`;
}
