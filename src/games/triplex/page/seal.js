// How levels are sealed: SHA-256, keys, streams, codes. `chain/seal.rs` does the same. The browser's
// own hashing is not used: it is there only for pages from safe places.

/** The first digits of the fractional parts of roots of primes, as SHA-256 wants them. */
const ROUNDS = (() => {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  // A double holds 53 bits; 32 of them behind the point are exact for roots this small.
  const digits = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  return { start: primes.slice(0, 8).map((p) => digits(Math.sqrt(p))), add: primes.map((p) => digits(Math.cbrt(p))) };
})();

/** The SHA-256 of a text, as bytes. */
function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = [...ROUNDS.start];
  const w = new Int32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + w[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS.add[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { state[i] = (state[i] + x) | 0; });
  }
  const sum = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => sum.setInt32(4 * i, x));
  return new Uint8Array(sum.buffer);
}

const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
const FIRST_KEY = '0000000000000000';
const isKey = (key) => typeof key === 'string' && /^[0-9a-f]{16}$/.test(key);

const hashed = (what, number, key, rest) => sha256(`triplex1 ${what}\n${number}\n${key}\n${rest}`);

/** The key of the level after this one, by its solution. */
const keyAfter = (number, key, solution) => hex(hashed('key', number, key, solution)).slice(0, 16);

/** What proves a solve to the server. */
const proofOf = (number, key, claim) => hex(hashed('solved', number, key, claim));

/** A level's text; nothing with a wrong key. */
function unsealed(number, key) {
  if (!Number.isInteger(number) || number < 1 || number > LEVELS.length || !isKey(key)) return null;
  const bytes = Uint8Array.from(atob(LEVELS[number - 1]), (c) => c.charCodeAt(0));
  for (let i = 0; i < bytes.length; i += 32) {
    const stream = hashed('text', number, key, i / 32);
    for (let j = i; j < Math.min(i + 32, bytes.length); j++) bytes[j] ^= stream[j - i];
  }
  const text = new TextDecoder().decode(bytes.slice(4));
  const check = hex(hashed('check', number, key, text)).slice(0, 8);
  return check === hex(bytes.slice(0, 4)) ? text : null;
}

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The code of a level, to be written down. */
function codeOf(number, key) {
  let bits = (BigInt(number) << 64n) | BigInt(`0x${key}`);
  let code = '';
  for (let i = 0; i < 16; i++, bits >>= 5n) code = LETTERS[Number(bits & 31n)] + code;
  return code.match(/.{4}/g).join('-');
}

/** Number and key of a code, as people write it; nothing if it is none. */
function ofCode(text) {
  const plain = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (plain.length !== 16 || [...plain].some((c) => !LETTERS.includes(c))) return null;
  const bits = [...plain].reduce((all, c) => (all << 5n) | BigInt(LETTERS.indexOf(c)), 0n);
  return { number: Number(bits >> 64n), key: (bits & (2n ** 64n - 1n)).toString(16).padStart(16, '0') };
}
