// What was seen and not expected, from the journal: with its picture, both boards, the archive that
// explains its run, and the run again from there on where it was recorded.

import { board, make } from './board.js';
import './records-words.js';
import { count, say } from './words.js';

const $ = (id) => document.getElementById(id);
/** A recording and its run have begun at the same moment, to within this, in ms. */
const SAME = 2000;
/** Runs to choose from. */
const RUNS = 50;

let get = null;
let recordings = [];
let runs = [];

/** Shows the newest mismatches that the form asks for. */
export async function show(ask) {
  get = ask;
  runs = await get(`/api/journal/runs?limit=${RUNS}`);
  recordings = await get('/api/recordings').catch(() => []);
  choices();
  const query = new URLSearchParams({ limit: '50' });
  if ($('cause').value) query.set('cause', $('cause').value);
  if ($('run').value) query.set('run', $('run').value);
  const rows = await get(`/api/journal/mismatches?${query}`);
  causes(rows);
  const articles = rows.reverse().map(article);
  $('rows').replaceChildren(...(articles.length ? articles : [make('p', {}, say('nothing'))]));
}

function choices() {
  const chosen = $('run').value;
  const options = runs.map((r) => make('option', { value: r.run }, `${r.run}. ${r.profile} · ${r.started ?? ''}`));
  $('run').replaceChildren(make('option', { value: '' }, say('all')), ...options);
  $('run').value = chosen;
}

function causes(rows) {
  const known = new Set([...$('cause').options].map((o) => o.value));
  if (!known.has('')) $('cause').append(make('option', { value: '' }, say('all')));
  for (const cause of new Set(rows.map((r) => r.cause))) {
    if (!known.has(cause)) $('cause').append(make('option', { value: cause }, cause));
  }
}

/** The recording of a run, if there is one. */
function recordingOf(number) {
  const run = runs.find((r) => r.run === number);
  const near = (r) => run && r.run.game === run.game && Math.abs(r.started_ms - run.started_ms) <= SAME;
  return recordings.find(near);
}

function article(row) {
  const seconds = (row.at / 1e6).toFixed(2);
  const run = runs.find((r) => r.run === row.run);
  const whose = run ? ` (${run.profile})` : '';
  const head = make('h3', {}, `${row.cause} · ${say('run')} ${row.run}${whose} · ${seconds} s`);
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
    const picture = make('img', { src: `/api/journal/pictures/${row.evidence.picture}`, alt: say('pictureOf', row.cause, seconds), loading: 'lazy' });
    boards.append(make('figure', {}, make('figcaption', {}, say('pictureThen')), picture));
  }
  return make('article', {}, head, text, boards, ...further(row));
}

function further(row) {
  const told = make('div', { class: 'replayed', role: 'status', 'aria-live': 'polite' });
  const link = make('a', { href: `/api/journal/runs/${row.run}/report.tar.gz`, download: '' }, say('exportRun', row.run));
  const links = make('p', { class: 'further' }, link);
  const recording = recordingOf(row.run);
  if (recording) {
    const button = make('button', { type: 'button' }, say('replayFrom'));
    button.addEventListener('click', () => replay(recording, row, told).catch((e) => told.replaceChildren(e.message)));
    links.append(' ', button);
  }
  return [links, told];
}

async function replay(recording, row, told) {
  told.replaceChildren(say('replaying'));
  // They are counted within their run.
  const all = await get(`/api/journal/mismatches?${new URLSearchParams({ run: row.run, limit: '2000' })}`);
  const n = all.filter((m) => m.ord <= row.ord).length;
  const answer = await fetch(`/api/recordings/${encodeURIComponent(recording.id)}/replay`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from_mismatch: n }),
  });
  const got = await answer.json();
  if (!answer.ok) throw new Error(got.error);
  const words = say(got.equal ? 'sameAgain' : 'goesOtherwise', got.frames, got.seconds.toFixed(1));
  const lines = [...(got.difference ?? []), ...got.lines].join('\n');
  told.replaceChildren(make('p', {}, words), make('pre', { tabindex: '0' }, lines));
}
