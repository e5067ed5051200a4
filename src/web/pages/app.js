// The page: sessions, the switches, the languages. Everything goes through the interface in
// /api/openapi.json.

import { make } from './board.js';
import * as calibrate from './calibrate.js';
import * as live from './live.js';
import * as machine from './machine.js';
import * as mismatches from './mismatches.js';
import * as known from './profiles.js';
import { chosen, languages, say, speak } from './words.js';

const $ = (id) => document.getElementById(id);
const PAUSE = 1000;

/** Asks the daemon; what goes wrong is shown, and thrown. */
async function ask(method, path, body) {
  const options = { method };
  if (body !== undefined) {
    options.headers = { 'content-type': 'application/json' };
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    $('notice').textContent = say('lost');
    throw error;
  }
  if (answer.status === 401) $('enter').hidden = false;
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    $('notice').textContent = told.error ?? answer.statusText;
    throw new Error(told.error ?? answer.statusText);
  }
  $('notice').textContent = '';
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : null;
}

const get = (path) => ask('GET', path);
/** Something a person pressed: its failure is shown already. */
const press = (work) => work.then(refresh, () => {});

function sessions(states) {
  const items = states.map((s) => {
    const words = s.armed ? `${s.words} (${say('armed')})` : s.words;
    const button = make('button', { type: 'button' }, make('strong', {}, `${s.id}. ${s.profile}`), make('br'),
      make('span', s.armed ? { class: 'armed' } : {}, words));
    button.addEventListener('click', () => choose(s.id));
    return make('li', { 'aria-current': String(s.id === live.current()) }, button);
  });
  const focused = [...$('sessions').children].findIndex((li) => li.contains(document.activeElement));
  $('sessions').replaceChildren(...(items.length ? items : [make('li', {}, say('none'))]));
  if (focused >= 0) $('sessions').children[focused]?.querySelector('button')?.focus();
}

function choose(id) {
  live.show(id);
  refresh();
}

async function refresh() {
  const states = await get('/api/sessions');
  const there = states.some((s) => s.id === live.current());
  if (!there) live.show(states[0]?.id ?? null);
  sessions(states);
}

async function policies() {
  const game = $('profile').selectedOptions[0]?.dataset.game;
  const list = game ? await get(`/api/policies/${game}`) : [];
  const ours = list.filter((p) => !p.external).map((p) => make('option', { value: p.name, title: p.about }, p.name));
  $('policy').replaceChildren(make('option', { value: '' }, say('usual')), ...ours);
}

async function profiles() {
  await known.show();
  await policies();
}

const stop = () => press(ask('POST', '/api/stop'));

function tab(name) {
  for (const other of ['live', 'calibrate', 'mismatches', 'machine']) {
    $(other).hidden = other !== name;
    $(`show-${other}`).setAttribute('aria-pressed', String(other === name));
  }
  if (name === 'calibrate') calibrate.sources().catch(() => {});
  if (name === 'machine') machine.show(ask).catch(() => {});
  else machine.hide();
  if (name === 'mismatches') mismatches.show(get).catch(() => {});
}

function begin() {
  for (const [code, name] of languages()) $('language').append(make('option', { value: code, lang: code }, name));
  $('language').value = chosen();
  speak(chosen());
  $('language').addEventListener('change', () => {
    speak($('language').value);
    calibrate.speak();
    press(policies());
  });
  $('profile').addEventListener('change', () => press(policies()));
  $('stop').addEventListener('click', stop);
  $('arm').addEventListener('click', () => press(ask('POST', `/api/sessions/${live.current()}/arm`)));
  $('disarm').addEventListener('click', () => press(ask('POST', `/api/sessions/${live.current()}/disarm`)));
  $('remove').addEventListener('click', () => press(ask('DELETE', `/api/sessions/${live.current()}`)));
  $('show-live').addEventListener('click', () => tab('live'));
  $('show-calibrate').addEventListener('click', () => tab('calibrate'));
  calibrate.begin(async (profile) => {
    const session = await ask('POST', '/api/sessions', { profile });
    live.show(session.id);
    tab('live');
    await Promise.all([refresh(), profiles()]);
  });
  machine.begin();
  known.begin(ask, profiles);
  $('show-machine').addEventListener('click', () => tab('machine'));
  $('show-mismatches').addEventListener('click', () => tab('mismatches'));
  $('begin').addEventListener('submit', (e) => {
    e.preventDefault();
    const asked = { profile: $('profile').value };
    if ($('policy').value) asked.policy = $('policy').value;
    press(ask('POST', '/api/sessions', asked).then((s) => live.show(s.id)));
  });
  $('filter').addEventListener('submit', (e) => {
    e.preventDefault();
    mismatches.show(get).catch(() => {});
  });
  $('enter').addEventListener('submit', (e) => {
    e.preventDefault();
    ask('POST', '/api/token', { token: $('token').value }).then(() => location.reload(), () => {});
  });
  // The space bar stops everything, wherever the focus is but in a field that takes text.
  document.addEventListener('keydown', (e) => {
    if (e.code !== 'Space' || e.target.matches('input:not([type=checkbox])')) return;
    e.preventDefault();
    stop();
  }, true);
  profiles().catch(() => {});
  const again = () => refresh().catch(() => {}).finally(() => setTimeout(again, PAUSE));
  again();
}

begin();
