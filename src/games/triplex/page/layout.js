// Where the rectangle and the loose figures lie: as large as the window lets them.

/** Places boxes in rows of a width, in units; gives their places and the height, or nothing. */
function shelves(boxes, width) {
  const places = [];
  let [x, y, tall] = [0, 0, 0];
  for (const [w, h] of boxes) {
    if (w > width) return null;
    if (x + w > width) [x, y, tall] = [0, y + tall + GAP, 0];
    places.push([x, y]);
    x += w + GAP;
    tall = Math.max(tall, h);
  }
  // Rows stand in the middle.
  const rows = new Map();
  places.forEach(([px, py], i) => rows.set(py, Math.max(rows.get(py) ?? 0, px + boxes[i][0])));
  const used = Math.max(...rows.values());
  return { places: places.map(([px, py]) => [px + (used - rows.get(py)) / 2, py]), width: used, height: y + tall };
}

/** Between loose figures, in squares. */
const GAP = 0.4;
/** The smallest and largest square, in CSS pixels: a finger must find it, an eye must see all of it. */
const [SMALLEST, LARGEST] = [24, 64];

/** Unit, size, place of the rectangle and of each figure's box, in units, for a window. */
function layout(level, across, down) {
  const boxes = level.figures.map((f) => {
    const [w, h] = [widthOf(f.cells), heightOf(f.cells)];
    return f.turns ? [Math.max(w, h), Math.max(w, h)] : [w, h];
  });
  const { cols, rows } = level;
  const below = (unit) => {
    const room = across / unit;
    const tray = room >= cols ? shelves(boxes, Math.max(cols, Math.min(room, cols + 6))) : null;
    if (!tray) return null;
    const width = Math.max(cols, tray.width);
    return { unit, width, height: rows + 1 + tray.height, target: [(width - cols) / 2, 0], tray, from: [(width - tray.width) / 2, rows + 1] };
  };
  const beside = (unit) => {
    const tray = shelves(boxes, Math.min(across / unit - cols - 1, cols + 4));
    if (!tray) return null;
    const height = Math.max(rows, tray.height);
    return { unit, width: cols + 1 + tray.width, height, target: [0, (height - rows) / 2], tray, from: [cols + 1, (height - tray.height) / 2] };
  };
  let best = null;
  for (let unit = LARGEST; unit >= SMALLEST && !best; unit -= 2) {
    best = [below(unit), beside(unit)].filter((l) => l && l.width * unit <= across && l.height * unit <= down)
      .sort((a, b) => Math.abs(Math.log(a.width / a.height * down / across)) - Math.abs(Math.log(b.width / b.height * down / across)))[0] ?? null;
  }
  for (let unit = SMALLEST; !best; unit -= 1) best = below(unit) ?? beside(unit);
  best.slots = best.tray.places.map(([x, y], i) => {
    const f = level.figures[i];
    // A figure that turns stands in the middle of its box.
    return [best.from[0] + x + (boxes[i][0] - widthOf(f.cells)) / 2, best.from[1] + y + (boxes[i][1] - heightOf(f.cells)) / 2];
  });
  return best;
}
