import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameScanner } from '../../../src/replay/proxy/frameScanner.ts';

interface TestFrame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly payload: Uint8Array;
  readonly mask: readonly number[];
}

/** A frame as on the wire. */
function encoded({ opcode, isLast, payload, mask }: TestFrame): Buffer {
  const { length } = payload;
  const size = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8);
  if (size.length === 2) size.writeUInt16BE(length);
  if (size.length === 8) size.writeBigUInt64BE(BigInt(length));
  const short = length < 126 ? length : size.length === 2 ? 126 : 127;
  const isMasked = mask.length > 0;
  const bytes = payload.map((byte, at) => (isMasked ? byte ^ mask[at % 4]! : byte));
  const head = [(isLast ? 0x80 : 0) | opcode, (isMasked ? 0x80 : 0) | short, ...size, ...mask];
  return Buffer.from([...head, ...bytes]);
}

const mask = fc.oneof(fc.constant([]), fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)));
const payload = (max: number) => fc.uint8Array({ maxLength: max });
const control = fc.record({
  opcode: fc.constantFrom(8, 9, 10),
  isLast: fc.constant(true),
  payload: payload(125),
  mask,
});

/** A message of some frames, with control frames among them. */
const message = fc
  .tuple(fc.constantFrom(1, 2), fc.array(fc.tuple(payload(300), mask, fc.option(control)), { minLength: 1 }))
  .map(([kind, parts]) => ({
    kind,
    payload: Buffer.concat(parts.map(([bytes]) => bytes)),
    frames: parts.flatMap(([bytes, key, before], at): TestFrame[] => [
      ...(before ? [before] : []),
      { opcode: at === 0 ? kind : 0, isLast: at === parts.length - 1, payload: bytes, mask: key },
    ]),
  }));

function scanned(chunks: readonly Buffer[], keepsMessages = true) {
  const scanner = new FrameScanner({ keepsMessages });
  const parts = chunks.flatMap(chunk => [...scanner.push(chunk)]);
  return { scanner, parts, messages: parts.flatMap(part => (part.message ? [part.message] : [])) };
}

test('a scanner of frames returns the same bytes and messages however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(fc.integer({ min: 1, max: 50 })), (sent, cuts) => {
      const wire = Buffer.concat(sent.flatMap(({ frames }) => frames.map(encoded)));
      const chunks: Buffer[] = [];
      let from = 0;
      for (const cut of [...cuts, wire.length]) chunks.push(wire.subarray(from, (from += cut)));
      const { scanner, parts, messages } = scanned(chunks);
      expect(Buffer.concat(parts.map(({ bytes }) => bytes))).toEqual(wire);
      expect(scanner.isBetweenFrames).toBe(true);
      const data = messages.filter(({ opcode }) => opcode < 8);
      expect(data).toEqual(sent.map(({ kind, payload: bytes }) => ({ opcode: kind, payload: bytes })));
    }),
  );
});

test.each([125, 126, 65_535, 65_536])('a scanner of frames reads the length %i', length => {
  const frame = { opcode: 2, isLast: true, payload: new Uint8Array(length).fill(7), mask: [1, 2, 3, 4] };
  const { parts, messages } = scanned([encoded(frame), encoded({ ...frame, payload: Buffer.from('x') })]);
  expect(parts.map(({ payloadBytes }) => payloadBytes)).toEqual([length, 1]);
  expect(messages.map(({ payload: bytes }) => bytes.length)).toEqual([length, 1]);
});

test('a scanner of frames keeps no message unless it is asked to', () => {
  const frame = encoded({ opcode: 1, isLast: true, payload: Buffer.from('secret'), mask: [] });
  expect(scanned([frame], false).messages).toEqual([{ opcode: 1, payload: Buffer.alloc(0) }]);
});

test('a scanner of frames refuses a message that is too long, also one of many frames', () => {
  const head = (opcode: number, length: number) =>
    Buffer.from([opcode, 127, ...new Uint8Array(new BigUint64Array([BigInt(length)]).buffer).reverse()]);
  expect(() => scanned([head(0x82, 64 * 1024 * 1024 + 1)])).toThrow(/more than 67108864 bytes/);
  const half = Buffer.alloc(40 * 1024 * 1024);
  const parts = [head(0x02, half.length), half, head(0x00, half.length)];
  expect(() => scanned(parts, false)).toThrow(/more than 67108864 bytes/);
});
