import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  audioFrames,
  SAME_TIME,
  type SourceGaps,
  type TimeMap,
  toAudio,
  toSource,
  toSourceTime,
  withGap,
  withJump,
  withPad,
} from '../../../../src/client/stream/recovery/sourceTime.ts';
import type { FinalEvent } from '../../../../src/transcript/model/events.ts';

interface Stretch {
  readonly gapFrames: number;
  readonly audioFrames: number;
}

const stretches: fc.Arbitrary<readonly Stretch[]> = fc.array(
  fc.record({ gapFrames: fc.nat(20), audioFrames: fc.integer({ min: 1, max: 20 }) }),
  { minLength: 1, maxLength: 6 },
);

/** For each frame of the source, whether there is audio. */
const framesOf = (list: readonly Stretch[]): readonly boolean[] =>
  list.flatMap(({ gapFrames, audioFrames }) => [
    ...new Array<boolean>(gapFrames).fill(false),
    ...new Array<boolean>(audioFrames).fill(true),
  ]);

function gapsOf(list: readonly Stretch[]): SourceGaps {
  let gaps: SourceGaps = [];
  let startFrame = 0;
  for (const stretch of list) {
    const endFrame = startFrame + stretch.gapFrames;
    if (stretch.gapFrames > 0) gaps = withGap(gaps, { startFrame, endFrame });
    startFrame = endFrame + stretch.audioFrames;
  }
  return gaps;
}

test('the audio before a frame is that of a list of all frames', () => {
  fc.assert(
    fc.property(stretches, list => {
      const [gaps, frames] = [gapsOf(list), framesOf(list)];
      const audioBefore = (frame: number) => frames.slice(0, frame).filter(Boolean).length;
      const places = Array.from({ length: frames.length + 1 }, (_, frame) => frame);
      expect(places.map(frame => toAudio(gaps, frame))).toEqual(places.map(audioBefore));
      const middle = frames.length >> 1;
      expect(places.map(frame => audioFrames(gaps, middle, frame))).toEqual(
        places.map(frame => frames.slice(middle, frame).filter(Boolean).length),
      );
    }),
  );
});

test('the frame after so much audio is the next that has audio itself', () => {
  fc.assert(
    fc.property(stretches, list => {
      const [gaps, frames] = [gapsOf(list), framesOf(list)];
      const places = frames.flatMap((hasAudio, frame) => (hasAudio ? [frame] : []));
      // Behind the last gap the audio goes on.
      expect(places.map((_, audioFrame) => toSource(gaps, audioFrame))).toEqual(places);
      expect(toSource(gaps, places.length)).toBe(frames.length);
    }),
  );
});

const RATE = 16_000;

function final(ts: number, endTs: number): FinalEvent {
  return { type: 'final', ts, endTs, elements: [{ type: 'text', value: 'word', ts, endTs }] };
}

function spanOn(map: TimeMap, ts: number, endTs: number, startTs = 0): readonly number[] {
  const event = toSourceTime(final(ts, endTs), { map, sampleRate: RATE, startTs });
  expect(event.elements).toEqual([{ type: 'text', value: 'word', ts: event.ts, endTs: event.endTs }]);
  return [event.ts, event.endTs];
}

describe('times of a service on the clock of the source', () => {
  test('are left as they are while nothing was left out', () => {
    const event = final(1.23, 4.56);
    expect(toSourceTime(event, { map: SAME_TIME, sampleRate: RATE, startTs: 0 })).toBe(event);
  });

  test('move by what was left out before them', () => {
    const map = withJump(withJump(SAME_TIME, 10 * RATE, 30 * RATE), 20 * RATE, RATE / 2);
    expect(spanOn(map, 9, 9.5)).toEqual([9, 9.5]);
    expect(spanOn(map, 11, 12)).toEqual([41, 42]);
    expect(spanOn(map, 21, 22)).toEqual([51.5, 52.5]);
    expect(spanOn(map, 9.5, 10.5)).toEqual([9.5, 40.5]);
  });

  test('belong to the side of a jump that they touch', () => {
    const map = withJump(SAME_TIME, 10 * RATE, RATE);
    expect(spanOn(map, 9, 10)).toEqual([9, 10]);
    expect(spanOn(map, 10, 11)).toEqual([11, 12]);
  });

  test('belong to that side also when the service rounded them', () => {
    const map = withJump(SAME_TIME, 10.004 * RATE, 30 * RATE);
    expect(spanOn(map, 10.0, 10.5)).toEqual([40, 40.5]);
    expect(spanOn(withJump(SAME_TIME, 9.996 * RATE, 30 * RATE), 9, 10)).toEqual([9, 10]);
  });

  test('take the time at which the service was asked to start into account', () => {
    const map = withJump(SAME_TIME, 10 * RATE, RATE);
    expect(spanOn(map, 105, 106, 100)).toEqual([105, 106]);
    expect(spanOn(map, 110, 111, 100)).toEqual([111, 112]);
  });

  test('never end before they start, and stay in order', () => {
    const frames = fc.integer({ min: 0, max: 60 * RATE });
    const jumps = fc.array(fc.tuple(frames, fc.integer({ min: 1, max: RATE })), { maxLength: 8 });
    const cents = fc.integer({ min: 0, max: 6000 });
    fc.assert(
      fc.property(jumps, fc.uniqueArray(cents, { minLength: 3, maxLength: 3 }), (list, times) => {
        const sorted = list.toSorted(([a], [b]) => a - b);
        const map = sorted.reduce((map, [sent, skipped]) => withJump(map, sent, skipped), SAME_TIME);
        const [a = 0, b = 0, c = 0] = times.toSorted((x, y) => x - y).map(cent => cent / 100);
        const [first, second] = [spanOn(map, a, b), spanOn(map, b, c)];
        expect(first[0]).toBeLessThan(first[1]!);
        expect(first[1]).toBeLessThanOrEqual(second[0]! + 1e-9);
      }),
    );
  });
});

describe('silence that the source does not have', () => {
  /** Hz: a frame is a hundredth, so that the times of a service are those of frames. */
  const rate = 100;
  const frames = fc.integer({ min: 1, max: 5 });
  const sent = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('audio' as const), skippedFrames: fc.nat(4), frames }),
      fc.record({ kind: fc.constant('pad' as const), frames }),
    ),
    { minLength: 1, maxLength: 8 },
  );

  /** As a session does: the map, where the source stands, and of each frame that was sent its place in the source. */
  function send(list: typeof sent extends fc.Arbitrary<infer List> ? List : never) {
    let map = SAME_TIME;
    let sourceFrame = 0;
    const places: { readonly from: number; readonly to: number }[] = [];
    for (const one of list) {
      if (one.kind === 'pad') {
        map = withPad(map, places.length, one.frames);
        for (let i = 0; i < one.frames; i++) places.push({ from: sourceFrame, to: sourceFrame });
      } else {
        if (one.skippedFrames > 0) map = withJump(map, places.length, one.skippedFrames);
        sourceFrame += one.skippedFrames;
        for (let i = 0; i < one.frames; i++) places.push({ from: sourceFrame, to: ++sourceFrame });
      }
    }
    return { map, sourceFrame, places };
  }

  test('is one moment of the source, so that no time lies after what it gave', () => {
    fc.assert(
      fc.property(sent, fc.nat(), fc.nat(), (list, a, b) => {
        const { map, sourceFrame, places } = send(list);
        const first = a % places.length;
        const last = first + (b % (places.length - first));
        const [start, end] = [first / rate, (last + 1) / rate];
        const event = toSourceTime(final(start, end), { map, sampleRate: rate, startTs: 0 });
        expect(event.ts).toBeCloseTo(places[first]!.from / rate, 9);
        expect(event.endTs).toBeCloseTo(places[last]!.to / rate, 9);
        expect(event.endTs).toBeLessThanOrEqual(sourceFrame / rate);
        expect(event.elements).toMatchObject([{ ts: event.ts, endTs: event.endTs }]);
      }),
    );
  });

  test('needs no more room however often there is some', () => {
    let map = withPad(SAME_TIME, 10 * RATE, RATE);
    for (let count = 1; count < 1000; count++) map = withPad(map, (10 + count) * RATE, RATE);
    expect(map).toHaveLength(1);
    expect(spanOn(map, 9, 9.5)).toEqual([9, 9.5]);
    expect(spanOn(map, 500, 600)).toEqual([10, 10]);
    expect(spanOn(map, 1010, 1011)).toEqual([10, 11]);
  });
});
