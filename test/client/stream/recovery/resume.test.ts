import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gridFrame,
  nextResume,
  type ResumeState,
  startOfResume,
  timeGridFrames,
} from '../../../../src/client/stream/recovery/resume.ts';

const RATE = 16_000;
const start = startOfResume(RATE);
const seconds = (count: number) => count * RATE;

/** A live service has read so much, and listens for as long. */
const readOf = (state: ResumeState, count: number) =>
  nextResume(state, {
    type: 'read',
    readFrame: seconds(count),
    originFrame: 0,
    elapsedSeconds: count,
  });

const final = (state: ResumeState, endFrame: number, sentFrame: number) =>
  nextResume(state, { type: 'final', endFrame, sentFrame });
const partial = (state: ResumeState, hasWords: boolean) =>
  nextResume(state, { type: 'partial', endFrame: seconds(5), sentFrame: seconds(5), hasWords });

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

  test('has whole hundredths only where it is fine, and a point at or before every time', () => {
    const rate = fc.oneof(
      fc.constantFrom(8000, 11_025, 16_000, 22_050, 44_100, 48_000),
      fc.integer({ min: 8000, max: 48_000 }),
    );
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 1_080_000 }), (sampleRate, hundredths) => {
        const frame = gridFrame(hundredths / 100, sampleRate);
        const behind = (hundredths * sampleRate) / 100 - frame;
        const isFine = timeGridFrames(sampleRate) <= 0.05 * sampleRate;
        // On a grid of single frames, the tolerance is a hundredth of a frame.
        expect(behind).toBeGreaterThanOrEqual(isFine ? 0 : -0.011);
        expect(behind).toBeLessThanOrEqual(0.05 * sampleRate);
        if (isFine) expect(Number.isInteger((frame * 100) / sampleRate)).toBe(true);
        else expect(behind).toBeLessThan(1);
      }),
    );
  });

  test('holds every hundredth behind the largest start of a stream', () => {
    const startTs = 99_999_999_999.99;
    for (const sampleRate of [8000, 16_000, 44_100, 48_000]) {
      for (let hundredths = 0; hundredths < 1000; hundredths++) {
        const ts = Math.round((startTs + hundredths / 100) * 100) / 100;
        const frame = Math.round((hundredths * sampleRate) / 100);
        expect(gridFrame(ts - startTs, sampleRate)).toBe(frame);
      }
    }
  });

  test('holds a time that has no exact binary fraction', () => {
    expect(gridFrame(0.57, RATE)).toBe(9120);
  });
});

describe('what is settled', () => {
  test('ends where the last final ends', () => {
    const state = final(start, seconds(3), seconds(4));
    expect(state.settledFrame).toBe(seconds(3));
    expect(partial(state, true).settledFrame).toBe(seconds(3));
  });

  test('is never more than was sent, and never goes back', () => {
    const frames = fc.nat(seconds(100));
    fc.assert(
      fc.property(fc.array(fc.tuple(frames, frames)), finals => {
        let state = start;
        for (const [endFrame, sentFrame] of finals) {
          const next = final(state, endFrame, sentFrame);
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
    expect(readOf(start, 65).settledFrame).toBe(0);
    expect(readOf(start, 130.5).settledFrame).toBe(seconds(70));
  });

  test('stays before words that are not final, until they are taken back', () => {
    const spoken = partial(start, true);
    expect(readOf(spoken, 300)).toBe(spoken);
    expect(readOf(partial(spoken, false), 300).settledFrame).toBe(seconds(240));
    expect(readOf(nextResume(spoken, { type: 'broken' }), 300).settledFrame).toBe(seconds(240));
  });

  test('stays further behind a recogniser that lags', () => {
    // Its words came when 40 s more had been sent.
    const late = final(start, seconds(10), seconds(50));
    expect(readOf(late, 300).settledFrame).toBe(seconds(300 - 60 - 2 * 40));
    // An outage is forgotten, after a while.
    let state = late;
    for (let second = 100; second < 120; second++) state = final(state, seconds(second), seconds(second + 1));
    expect(readOf(state, 300).settledFrame).toBe(seconds(300 - 60 - 2));
  });

  test('does not run ahead of a recogniser that hears in real time what was read at once', () => {
    const flood = { readFrame: seconds(3600), originFrame: 0, elapsedSeconds: 100 };
    expect(nextResume(start, { type: 'read', ...flood }).settledFrame).toBe(seconds(40));
  });
});
