// What was seen and not expected, from the journal.

import { board, make } from './board.js';
import { count, say } from './words.js';

const $ = (id) => document.getElementById(id);

/** Shows the newest mismatches that the form asks for. */
export async function show(get) {
  const query = new URLSearchParams({ limit: '50' });
  if ($('cause').value) query.set('cause', $('cause').value);
  if ($('run').value) query.set('run', $('run').value);
  const rows = await get(`/api/journal/mismatches?${query}`);
  causes(rows);
  const articles = rows.reverse().map(article);
  $('rows').replaceChildren(...(articles.length ? articles : [make('p', {}, say('nothing'))]));
}

function causes(rows) {
  const known = new Set([...$('cause').options].map((o) => o.value));
  if (!known.has('')) $('cause').append(make('option', { value: '' }, say('all')));
  for (const cause of new Set(rows.map((r) => r.cause))) {
    if (!known.has(cause)) $('cause').append(make('option', { value: cause }, cause));
  }
}

function article(row) {
  const seconds = (row.at / 1e6).toFixed(2);
  const head = make('h3', {}, `${row.cause} · ${say('run')} ${row.run} · ${seconds} s`);
  const cells = row.cells.length ? ` · ${count('cells', row.cells.length)}` : '';
  const text = make('p', {}, `${say('handling')}: ${row.handling}${cells} ${row.text}`);
  const boards = make('div', { class: 'boards' });
  const expected = row.expected ? row.expected.split('/') : [];
  const seen = row.seen ? row.seen.split('/') : [];
  for (const [key, rows, other] of [['expected', expected, seen], ['seen', seen, expected]]) {
    const place = make('div', { class: 'board' });
    board(place, rows, [], other);
    boards.append(make('figure', {}, make('figcaption', {}, say(key)), place));
  }
  if (row.evidence.picture) {
    boards.append(make('img', { src: `/api/journal/pictures/${row.evidence.picture}`, alt: row.cause, loading: 'lazy' }));
  }
  return make('article', {}, head, text, boards);
}
