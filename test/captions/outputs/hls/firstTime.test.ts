import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstTimeOf } from '../../../../src/captions/outputs/hls/firstTime.ts';
import { transportSegment } from '../../../helpers/hlsVideo.ts';

const box = (type: string, ...parts: readonly Buffer[]) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0));
  return Buffer.concat([size, Buffer.from(type, 'latin1'), ...parts]);
};
const words = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};
const track = (id: number, handler: string, timescale: number) =>
  box(
    'trak',
    box('tkhd', words(0, 0, 0, id)),
    box('mdia', box('mdhd', words(0, 0, 0, timescale, 0)), box('hdlr', words(0, 0), Buffer.from(handler))),
  );
const fragment = (id: number, version: 0 | 1, units: number) =>
  box(
    'traf',
    box('tfhd', words(0, id)),
    box(
      'tfdt',
      version === 1 ? words(2 ** 24, Math.floor(units / 2 ** 32), units % 2 ** 32) : words(0, units),
    ),
  );

describe('firstTimeOf', () => {
  it('reads any time of a transport stream', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), fc.nat({ max: 3 }), (units, wraps) => {
        const seconds = (units + wraps * 2 ** 31) / 90_000;
        expect(firstTimeOf(transportSegment(seconds))).toBeCloseTo(seconds, 6);
      }),
    );
  });

  it('prefers the video of a transport stream', () => {
    const audio = transportSegment(1, { streamId: 0xc0 });
    expect(firstTimeOf(Buffer.concat([audio, transportSegment(2)]))).toBe(2);
    expect(firstTimeOf(audio)).toBe(1);
  });

  it('reads fragmented MP4 in the units of the video track', () => {
    const map = box('moov', track(1, 'soun', 48_000), track(2, 'vide', 12_800));
    const moof = box('moof', fragment(1, 0, 48_000), fragment(2, 1, 12_800 * 400_000));
    expect(firstTimeOf(Buffer.concat([box('styp'), moof]), map)).toBe(400_000);
    expect(firstTimeOf(box('moof', fragment(1, 0, 48_000)), map)).toBe(1);
  });

  it('reads the tag of packed audio', () => {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(900_000n);
    const tag = Buffer.from(
      'ID3\x04\0\0\0\0\0\0PRIVcom.apple.streaming.transportStreamTimestamp\0',
      'latin1',
    );
    expect(firstTimeOf(Buffer.concat([tag, time]))).toBe(10);
  });

  it('finds no time in other bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600 }),
        fc.option(fc.uint8Array({ maxLength: 100 })),
        (head, map) => {
          // Chance may give a time; what counts is that nothing fails or runs for ever.
          const time = firstTimeOf(Buffer.from(head), map ? Buffer.from(map) : undefined);
          expect(time === undefined || time >= 0).toBe(true);
        },
      ),
    );
    expect(firstTimeOf(Buffer.from('no video'))).toBeUndefined();
    expect(firstTimeOf(Buffer.alloc(0), Buffer.alloc(0))).toBeUndefined();
  });
});
