import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterBreak,
  afterFinal,
  afterPartial,
  afterRead,
  gridFrame,
  startOfResume,
  timeGridFrames,
} from '../../../../src/client/stream/recovery/resume.ts';

const RATE = 16_000;
const start = startOfResume(RATE);
const seconds = (count: number) => count * RATE;

/** A live service has read so much, and listens for as long. */
const read = (count: number) => ({ readFrame: seconds(count), originFrame: 0, elapsedSeconds: count });

describe('the grid of times', () => {
  test.each([
    [8000, 80],
    [11_025, 441],
    [16_000, 160],
    [22_050, 441],
    [44_100, 441],
    [47_999, 47_999],
    [48_000, 480],
  ])('of %i Hz has a point every %i frames', (sampleRate, frames) => {
    expect(timeGridFrames(sampleRate)).toBe(frames);
  });

  test('has whole hundredths only, and a point at or before every time', () => {
    const rate = fc.integer({ min: 8000, max: 48_000 });
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 1_080_000 }), (sampleRate, hundredths) => {
        const frame = gridFrame(hundredths / 100, sampleRate);
        expect(Number.isInteger((frame * 100) / sampleRate)).toBe(true);
        expect(frame).toBeLessThanOrEqual((hundredths * sampleRate) / 100);
        expect((hundredths * sampleRate) / 100 - frame).toBeLessThan(timeGridFrames(sampleRate));
      }),
    );
  });

  test('holds a time that has no exact binary fraction', () => {
    expect(gridFrame(0.57, RATE)).toBe(9120);
  });
});

describe('what is settled', () => {
  test('ends where the last final ends', () => {
    const state = afterFinal(start, seconds(3), seconds(4));
    expect(state.settledFrame).toBe(seconds(3));
    expect(afterPartial(state, seconds(4), { sentFrame: seconds(4), hasWords: true }).settledFrame).toBe(
      seconds(3),
    );
  });

  test('is never more than was sent, and never goes back', () => {
    const frames = fc.nat(seconds(100));
    fc.assert(
      fc.property(fc.array(fc.tuple(frames, frames)), finals => {
        let state = start;
        for (const [endFrame, sentFrame] of finals) {
          const next = afterFinal(state, endFrame, sentFrame);
          expect(next.settledFrame).toBeGreaterThanOrEqual(state.settledFrame);
          if (next.settledFrame > state.settledFrame) {
            expect(next.settledFrame).toBeLessThanOrEqual(sentFrame);
          }
          state = next;
        }
      }),
    );
  });

  test('moves on in silence, a minute behind what was read, by whole seconds', () => {
    expect(afterRead(start, read(65)).settledFrame).toBe(0);
    expect(afterRead(start, read(130.5)).settledFrame).toBe(seconds(70));
  });

  test('stays before words that are not final, until they are taken back', () => {
    const said = { sentFrame: seconds(5), hasWords: true };
    const spoken = afterPartial(start, seconds(5), said);
    expect(afterRead(spoken, read(300))).toBe(spoken);
    const takenBack = afterPartial(spoken, seconds(5), { ...said, hasWords: false });
    expect(afterRead(takenBack, read(300)).settledFrame).toBe(seconds(240));
    expect(afterRead(afterBreak(spoken), read(300)).settledFrame).toBe(seconds(240));
  });

  test('stays further behind a recogniser that lags', () => {
    // Its words came when 40 s more had been sent.
    const late = afterFinal(start, seconds(10), seconds(50));
    expect(afterRead(late, read(300)).settledFrame).toBe(seconds(300 - 60 - 2 * 40));
  });

  test('does not run ahead of a recogniser that hears in real time what was read at once', () => {
    const flood = { readFrame: seconds(3600), originFrame: 0, elapsedSeconds: 100 };
    expect(afterRead(start, flood).settledFrame).toBe(seconds(40));
  });
});
