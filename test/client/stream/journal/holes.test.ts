import { describe, expect, test } from 'vitest';
import type { FrameRange } from '../../../../src/audio/format/frameRange.ts';
import { createReplayStore } from '../../../../src/client/spool/createReplayStore.ts';
import type { Hole } from '../../../../src/client/stream/fallback.ts';
import { Holes } from '../../../../src/client/stream/journal/holes.ts';
import { SourceGaps } from '../../../../src/client/stream/recovery/sourceGaps.ts';
import type { HoleEvent } from '../../../../src/transcript/model/events.ts';

const RATE = 100;

/** Holes of a source of 100 Hz that begins at 50 s, with their reports. */
function holesUnderTest({ marginSeconds }: { readonly marginSeconds?: number } = {}) {
  const format = { sampleFormat: 'S16LE', sampleRate: RATE, channels: 1 } as const;
  const store = createReplayStore({ format });
  const reported: (FrameRange & Pick<HoleEvent, 'cause'>)[] = [];
  const events: HoleEvent[] = [];
  const whole: Hole[] = [];
  const holes = new Holes({
    ...{ store, sampleRate: RATE, query: { startTs: 50 }, gaps: new SourceGaps() },
    ...(marginSeconds !== undefined && { fallback: { marginSeconds } }),
    onHole(event, { startFrame, endFrame }) {
      reported.push({ startFrame, endFrame, cause: event.cause });
      events.push(event);
    },
    onWhole: hole => whole.push(hole),
  });
  const give = (frames: number) => {
    store.append({ startFrame: store.headFrame, frames, bytes: new Uint8Array(2 * frames) });
    holes.headAt(store.headFrame);
  };
  return { holes, store, reported, events, whole, give };
}

const range = (startFrame: number, endFrame: number): FrameRange => ({ startFrame, endFrame });

describe('a hole', () => {
  test('is reported with its times and its cause', () => {
    const { holes, events } = holesUnderTest();
    holes.add(range(100, 250), 'dropped');
    expect(events).toEqual([{ type: 'hole', cause: 'dropped', ts: 51, endTs: 52.5 }]);
  });

  test('is reported once, also where others begin in it or lie around it', () => {
    const { holes, reported } = holesUnderTest();
    holes.add(range(100, 200), 'dropped');
    holes.add(range(150, 300), 'dropped');
    holes.add(range(120, 180), 'gave-up');
    holes.add(range(50, 400), 'gave-up');
    expect(reported).toEqual([
      { ...range(100, 200), cause: 'dropped' },
      { ...range(200, 300), cause: 'dropped' },
      { ...range(50, 100), cause: 'gave-up' },
      { ...range(300, 400), cause: 'gave-up' },
    ]);
  });

  test('that reaches beyond what is settled is still known', () => {
    const { holes, reported } = holesUnderTest();
    holes.add(range(100, 200), 'dropped');
    holes.settled(150);
    holes.add(range(150, 250), 'gave-up');
    expect(reported.slice(1)).toEqual([{ ...range(200, 250), cause: 'gave-up' }]);
  });

  test('is none where the source gave nothing, and one with such a place inside', () => {
    const { holes, reported } = holesUnderTest();
    holes.addGap(range(0, 100));
    holes.addGap(range(150, 200));
    holes.add(range(20, 100), 'gave-up');
    holes.add(range(150, 200), 'gave-up');
    expect(reported.map(({ cause }) => cause)).toEqual(['gap', 'gap']);
    holes.add(range(120, 250), 'gave-up');
    expect(reported.slice(2)).toEqual([{ ...range(120, 250), cause: 'gave-up' }]);
  });
});

describe('a hole that is to be repaired', () => {
  test('is handed over once, when the audio of its margin is there', () => {
    const { holes, whole, give } = holesUnderTest({ marginSeconds: 2 });
    give(500);
    holes.add(range(300, 400), 'dropped');
    give(99);
    expect(whole).toEqual([]);
    give(1);
    expect(whole).toMatchObject([range(300, 400)]);
    give(1000);
    holes.end();
    expect(whole).toHaveLength(1);
  });

  test('at the end of the audio has the margin that there is', () => {
    const { holes, whole, give } = holesUnderTest({ marginSeconds: 2 });
    give(500);
    holes.add(range(300, 500), 'gave-up');
    expect(whole).toEqual([]);
    holes.end();
    expect(whole).toMatchObject([{ ...range(300, 500), event: { cause: 'gave-up', ts: 53, endTs: 55 } }]);
  });

  test('keeps its audio and its margins, whatever is released', () => {
    const { holes, store, give } = holesUnderTest({ marginSeconds: 2 });
    give(1000);
    holes.add(range(300, 400), 'dropped');
    store.release(1000);
    expect(store.read(0, 1000)).toMatchObject({ startFrame: 100, frames: 500 });
  });

  test('and is a gap of the source is handed to nobody', () => {
    const { holes, whole } = holesUnderTest({ marginSeconds: 2 });
    holes.addGap(range(0, 300));
    holes.end();
    expect(whole).toEqual([]);
  });
});

test('without a fallback no audio is kept, and no hole handed over', () => {
  const { holes, store, whole, give } = holesUnderTest();
  give(1000);
  holes.add(range(300, 400), 'dropped');
  store.release(1000);
  holes.end();
  expect(store.read(0, 1000)).toBeUndefined();
  expect(whole).toEqual([]);
});
