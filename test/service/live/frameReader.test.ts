import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ending } from '../../../src/service/live/ending.ts';
import { FrameReader } from '../../../src/service/live/frameReader.ts';

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

interface Frame {
  readonly opcode: number;
  readonly payload: Uint8Array;
  readonly isLast?: boolean;
  readonly mask?: Uint8Array;
}

/** Returns a frame as sent by a client. */
function bytesOf({ opcode, payload, isLast = true, mask = Uint8Array.of(1, 2, 3, 4) }: Frame): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)]);
}

/** Returns the output of a reader for pieces of bytes. */
function read(pieces: readonly Uint8Array[], { messageBytes = 1000, keepMessages = false } = {}) {
  const found = { audio: [] as Uint8Array[], messages: [] as number[], protocol: [] as Uint8Array[] };
  const faults: Ending[] = [];
  let length = 0;
  const reader = new FrameReader(messageBytes, {
    onAudio(piece, endsMessage) {
      found.audio.push(piece.slice());
      length += piece.length;
      if (!endsMessage) return;
      found.messages.push(length);
      length = 0;
    },
    onProtocol: bytes => found.protocol.push(bytes),
    onFault: ending => faults.push(ending),
  });
  if (keepMessages) reader.keepMessages();
  for (const piece of pieces) reader.read(Buffer.from(piece));
  return {
    ...{ faults, messages: found.messages, pieces: found.audio.length },
    audio: Buffer.concat(found.audio),
    protocol: Buffer.concat(found.protocol),
  };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map(place => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const payload = fc.uint8Array({ maxLength: 300 });
const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const control = fc.record({
  opcode: fc.constantFrom(CLOSE, PING, PONG),
  payload: fc.uint8Array({ maxLength: 125 }),
  mask,
});
/** Generates the frames of one message of audio, with control frames between them. */
const message = fc
  .array(fc.record({ payload, mask, before: fc.array(control, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map(parts =>
    parts.flatMap(({ before, ...part }, index): Frame[] => [
      ...before,
      { ...part, opcode: index === 0 ? BINARY : 0, isLast: index === parts.length - 1 },
    ]),
  );

describe('a frame reader', () => {
  test('finds the same audio and protocol frames however the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.boolean(),
        (messages, places, keepMessages) => {
          const frames = messages.flat();
          const isAudio = ({ opcode }: Frame) => opcode === BINARY || opcode === 0;
          const found = read(cut(Buffer.concat(frames.map(bytesOf)), places), { keepMessages });
          expect(found.faults).toEqual([]);
          expect(found.audio).toEqual(Buffer.concat(frames.filter(isAudio).map(frame => frame.payload)));
          const others = frames.filter(frame => !isAudio(frame) && frame.opcode !== PONG);
          expect(found.protocol).toEqual(Buffer.concat(others.map(bytesOf)));
          const lengths = messages.map(parts =>
            parts.filter(isAudio).reduce((sum, part) => sum + part.payload.length, 0),
          );
          expect(found.messages).toEqual(keepMessages ? lengths : []);
        },
      ),
    );
  });

  test('passes on a long message before it is complete', () => {
    const bytes = bytesOf({ opcode: BINARY, payload: new Uint8Array(900).fill(7) });
    expect(read([bytes.subarray(0, 500)]).audio.length).toBeGreaterThan(480);
  });

  test('joins tiny messages that arrived together', () => {
    const tiny = bytesOf({ opcode: BINARY, payload: Uint8Array.of(5) });
    const { audio, pieces } = read([Buffer.concat(new Array(1000).fill(tiny))]);
    expect(audio).toEqual(Buffer.alloc(1000, 5));
    expect(pieces).toBe(1);
  });

  test('ignores empty messages', () => {
    const empty = bytesOf({ opcode: BINARY, payload: new Uint8Array(0) });
    expect(read([Buffer.concat(new Array(1000).fill(empty))])).toMatchObject({ pieces: 0, faults: [] });
  });

  test('refuses a message beyond the limit by its head, in one frame or in more', () => {
    const at = bytesOf({ opcode: BINARY, payload: new Uint8Array(1000) });
    expect(read([at])).toMatchObject({ faults: [] });
    const over = { rule: { code: 1009 }, why: 'at most 1000 bytes' };
    expect(read([bytesOf({ opcode: BINARY, payload: new Uint8Array(1001) }).subarray(0, 8)])).toMatchObject({
      faults: [over],
    });
    const first = bytesOf({ opcode: BINARY, payload: new Uint8Array(900), isLast: false });
    const rest = bytesOf({ opcode: 0, payload: new Uint8Array(101) });
    expect(read([first, rest])).toMatchObject({ faults: [over], audio: Buffer.alloc(900) });
  });

  test('refuses a text that is longer than EOS by its head', () => {
    const eos = bytesOf({ opcode: TEXT, payload: Buffer.from('EOS') });
    expect(read([eos])).toMatchObject({ faults: [], protocol: eos });
    const text = bytesOf({ opcode: TEXT, payload: Buffer.alloc(500) }).subarray(0, 8);
    expect(read([text])).toMatchObject({ faults: [{ rule: { code: 1007 } }], protocol: Buffer.alloc(0) });
  });

  test.each([
    ['a message within another', [{ opcode: BINARY, isLast: false }, { opcode: BINARY }]],
    ['a text within audio', [{ opcode: BINARY, isLast: false }, { opcode: TEXT }]],
    ['audio within a text', [{ opcode: TEXT, isLast: false }, { opcode: BINARY }]],
    ['the rest of no message', [{ opcode: 0 }]],
  ])('refuses %s, once, and still sees the close', (_, frames) => {
    const bytes = frames.map(frame => bytesOf({ ...frame, payload: new Uint8Array(2) }));
    const close = bytesOf({ opcode: CLOSE, payload: Uint8Array.of(3, 232) });
    const { faults, protocol } = read([Buffer.concat([...bytes, ...bytes, close])]);
    expect(faults).toMatchObject([{ rule: { code: 1002 } }]);
    expect(protocol.subarray(-close.length)).toEqual(close);
  });

  test.each([
    ['a bit of an extension', [0xc2, 0x81]],
    ['no mask', [0x82, 0x01]],
    ['an opcode that nobody knows', [0x83, 0x81]],
    ['a long ping', [0x89, 0xfe]],
    ['a ping in parts', [0x09, 0x81]],
  ])('passes a frame with %s to the library, and stops reading', (_, head) => {
    const more = bytesOf({ opcode: BINARY, payload: Uint8Array.of(1) });
    const { protocol, pieces, faults } = read([Buffer.concat([Uint8Array.from(head), more]), more]);
    expect([...protocol]).toEqual(head);
    expect([pieces, faults.length]).toEqual([0, 0]);
  });
});
