// What all pages of the games share: languages, requests, what is kept in this browser.

import { make } from '/board.js';
import { add, chosen, languages, say, speak } from '/words.js';
import { WORDS } from './words.js';

add(WORDS);

export const $ = (id) => document.getElementById(id);
/** A server that is busy is asked so often, with such a pause in ms between. */
const TRIES = 6;
const PAUSE = 700;

/** Shows a sentence over the page, or none. */
export function notice(text) {
  $('notice').textContent = text;
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Asks the server; what goes wrong is shown, and thrown. A busy server is asked again. */
export async function ask(method, path, body) {
  const options = { method };
  if (body !== undefined) {
    options.headers = { 'content-type': 'application/json' };
    options.body = JSON.stringify(body);
  }
  let answer;
  for (let i = 0; i < TRIES; i++) {
    if (i > 0) await wait(PAUSE);
    try {
      answer = await fetch(path, options);
    } catch (error) {
      notice(say('lost'));
      throw error;
    }
    if (answer.status !== 503) break;
  }
  if (answer.status === 401) $('enter').hidden = false;
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    notice(told.error ?? answer.statusText);
    throw new Error(told.error ?? answer.statusText);
  }
  notice('');
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : null;
}

/** What was kept under a name, over what holds when nothing was; a broken one counts as none. */
export function kept(name, usual) {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(name) ?? '{}') };
  } catch {
    return { ...usual };
  }
}

/** Keeps it in this browser; one that keeps nothing plays on all the same. */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch (error) {
    console.info(error);
  }
}

/** Fills a choice: pairs of value and text. */
export function choices(select, pairs, value) {
  select.replaceChildren(...pairs.map(([v, text]) => make('option', { value: v }, text)));
  select.value = value;
}

/** Begins a page; `redraw` is called whenever the language has changed. */
export function begin(redraw) {
  const choose = (code) => {
    speak(code);
    for (const e of document.querySelectorAll('[data-label]')) e.setAttribute('aria-label', say(e.dataset.label));
    document.title = `${say(document.body.dataset.game)} – Kibitzer`;
    redraw();
  };
  for (const [code, name] of languages()) $('language').append(make('option', { value: code, lang: code }, name));
  $('language').value = chosen();
  $('language').addEventListener('change', () => choose($('language').value));
  $('enter').addEventListener('submit', (e) => {
    e.preventDefault();
    ask('POST', '/api/token', { token: $('token').value }).then(() => location.reload(), () => {});
  });
  choose(chosen());
}
