// Profiles: one to begin a session with, and its deletion where it was saved here.

import { make } from './board.js';
import './profiles-words.js';
import { say } from './words.js';

const $ = (id) => document.getElementById(id);

let ask = null;
let changed = null;

/** Makes the switches work; `asking` asks the daemon, `then` hears that other profiles are there. */
export function begin(asking, then) {
  [ask, changed] = [asking, then];
  $('forget').addEventListener('click', () => {
    $('forget-words').textContent = say('forgetAsk', $('profile').value);
    $('forgetting').showModal();
  });
  $('forget-no').addEventListener('click', () => $('forgetting').close());
  $('forget-yes').addEventListener('click', () => {
    $('forgetting').close();
    forget($('profile').value).catch(() => {});
  });
  $('profile').addEventListener('change', own);
}

/** Lists those that can be used, and keeps the one that is chosen. */
export async function show() {
  const list = await ask('GET', '/api/profiles');
  const before = $('profile').value;
  const options = list.filter((p) => !p.error);
  $('profile').replaceChildren(...options.map((p) =>
    make('option', { value: p.name, 'data-game': p.game, 'data-own': String(p.own) }, `${p.name} (${p.game})`)));
  if (options.some((p) => p.name === before)) $('profile').value = before;
  own();
}

/** Only what was saved here can be deleted. */
function own() {
  $('forget').hidden = $('profile').selectedOptions[0]?.dataset.own !== 'true';
}

async function forget(name) {
  await ask('DELETE', `/api/profiles/${encodeURIComponent(name)}`);
  await changed();
  $('profile').focus();
}
