// The built-in Tetris: it runs in the server; keys go there, and exactly its pixels come back.

import { count, say } from '/words.js';
import { $, ask, begin, keep, kept, notice } from './page.js';

const SMALLEST = [160, 120];
const LARGEST = [3840, 2160];
const canvas = $('screen');
const pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
let socket = null;
let state = 'connecting';
let pictures = 0;

/** Draws what has changed; see the server's `wire` for the form. The picture's number. */
function paint(buffer) {
  const data = new DataView(buffer);
  let at = 0;
  const short = () => {
    at += 2;
    return data.getUint16(at - 2, true);
  };
  const number = data.getUint32(0, true);
  at = 4;
  const [width, height] = [short(), short()];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  for (let boxes = short(); boxes > 0; boxes--) {
    const [x, y, w, h] = [short(), short(), short(), short()];
    const image = new ImageData(w, h);
    const bytes = image.data;
    for (let i = 0; i < bytes.length;) {
      const end = i + 4 * short();
      const [r, g, b] = [data.getUint8(at), data.getUint8(at + 1), data.getUint8(at + 2)];
      at += 3;
      for (; i < end; i += 4) {
        bytes[i] = r;
        bytes[i + 1] = g;
        bytes[i + 2] = b;
        bytes[i + 3] = 255;
      }
    }
    pen.putImageData(image, x, y);
  }
  canvas.dataset.picture = number;
  return number;
}

const tell = (what) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(what));
};

function draw() {
  $('status').textContent = say(state);
  $('status').className = `status ${state === 'ended' ? 'bad' : ''}`;
  $('again').hidden = state !== 'ended';
  $('rate').textContent = state === 'connected' ? count('perSecondOf', pictures) : '';
}

/** The screen's size in the pixels of this display, so that one pixel is one pixel. */
function fit(entry) {
  const box = entry.devicePixelContentBoxSize?.[0];
  const ratio = box ? 1 : devicePixelRatio;
  const of = box ?? { inlineSize: entry.contentRect.width, blockSize: entry.contentRect.height };
  const size = [of.inlineSize, of.blockSize].map((v, i) => Math.min(Math.max(Math.round(v * ratio), SMALLEST[i]), LARGEST[i]));
  return size;
}

let size = [640, 480];
new ResizeObserver(([entry]) => {
  size = fit(entry);
  tell({ size });
}).observe(canvas);

async function connect() {
  if (socket) socket.onclose = null;
  socket?.close();
  state = 'connecting';
  draw();
  try {
    const limits = await ask('GET', '/api/play');
    if (limits.tetris.free === 0) throw new Error('full');
  } catch {
    state = 'ended';
    draw();
    return;
  }
  const here = new URL(location.href).searchParams;
  const query = new URLSearchParams({ width: size[0], height: size[1] });
  for (const name of ['level', 'seed']) if (here.has(name)) query.set(name, here.get(name));
  socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/play/tetris?${query}`);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    state = 'connected';
    tell({ size });
    draw();
  };
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') {
      tell({ shown: paint(data) });
      pictures++;
      return;
    }
    const told = JSON.parse(data);
    if (told.saved) {
      keep('tetris', { saved: told.saved });
      notice(say('saved'));
    } else notice(told.error);
  };
  socket.onclose = ({ reason }) => {
    state = 'ended';
    if (reason) notice(reason);
    draw();
  };
}

/** A key's name as the target knows it; none for those that are the browser's. */
function name(e) {
  if (e.altKey || e.metaKey) return null;
  const named = { ArrowLeft: 'Left', ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down', ' ': 'space', Enter: 'Return', Escape: 'Escape', F1: 'F1', F2: 'F2' }[e.key];
  if (named) return `${e.ctrlKey ? 'ctrl+' : ''}${e.shiftKey ? 'shift+' : ''}${named}`;
  if (e.ctrlKey || [...e.key].length !== 1) return null;
  const isLetter = e.key.toLowerCase() !== e.key.toUpperCase();
  return `${isLetter && e.shiftKey ? 'shift+' : ''}${e.key.toLowerCase()}`;
}

function press(key, repeat) {
  if (key === 'shift+l') {
    const { saved } = kept('tetris', { saved: null });
    if (saved) tell({ load: saved });
    else notice(say('noneSaved'));
  } else tell(repeat ? { repeat: key } : { key });
}

canvas.addEventListener('keydown', (e) => {
  const key = name(e);
  if (!key) return;
  e.preventDefault();
  press(key, e.repeat);
});
const at = (e) => {
  const box = canvas.getBoundingClientRect();
  return [(e.clientX - box.x) * (canvas.width / box.width), (e.clientY - box.y) * (canvas.height / box.height)];
};
for (const [event, what] of [['pointerdown', 'press'], ['pointermove', 'move'], ['pointerup', 'release']]) {
  canvas.addEventListener(event, (e) => {
    if (what === 'press') canvas.focus();
    if (what !== 'move' || e.buttons) tell({ pointer: [what, ...at(e)] });
  });
}
for (const button of document.querySelectorAll('[data-key]')) {
  button.addEventListener('click', () => {
    press(button.dataset.key, false);
    if (!button.closest('.pads')) canvas.focus();
  });
}
$('full').addEventListener('click', () => {
  $('stage').requestFullscreen().then(() => canvas.focus(), (e) => notice(e.message));
});
$('again').addEventListener('click', connect);
setInterval(() => {
  draw();
  pictures = 0;
}, 1000);
begin(draw);
connect();
