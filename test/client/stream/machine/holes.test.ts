import { describe, expect, test } from 'vitest';
import type { FrameRange } from '../../../../src/audio/format/frameRange.ts';
import type { Hole } from '../../../../src/client/stream/fallback.ts';
import {
  addHoles,
  extend,
  repairRest,
  withQuery,
  withSettled,
} from '../../../../src/client/stream/machine/holes.ts';
import type {
  Step,
  StreamEffect,
  StreamState,
  StreamView,
} from '../../../../src/client/stream/machine/model.ts';
import { startOfStream } from '../../../../src/client/stream/machine/next.ts';
import { streamSettings } from '../../../../src/client/stream/settings.ts';
import { nodePlatform } from '../../../../src/client/stream/transcribe.ts';
import type { HoleEvent } from '../../../../src/transcript/model/events.ts';

const RATE = 100;
const range = (startFrame: number, endFrame: number): FrameRange => ({ startFrame, endFrame });

/** Holes depend on nothing outside of the state. */
const VIEW: StreamView = {
  nowMs: 0,
  bufferedBytes: () => expect.fail(),
  read: () => expect.fail(),
  soundFrames: () => expect.fail(),
};

/** The state of a stream of 100 Hz that begins at 50 s, and the effects so far. */
class Streamed {
  readonly effects: StreamEffect[] = [];
  state: StreamState;

  constructor({ marginSeconds }: { readonly marginSeconds?: number } = {}) {
    const fallback = { marginSeconds: marginSeconds ?? 0, asyncOnly: false, start: () => expect.fail() };
    const settings = streamSettings(
      {
        ...{ url: 'ws://host', token: 'token', startTs: 50 },
        ...(marginSeconds !== undefined && { fallback }),
      },
      nodePlatform,
    );
    this.state = startOfStream(settings, { sampleFormat: 'S16LE', sampleRate: RATE, channels: 1 });
  }

  do(take: (state: StreamState, step: Step) => StreamState): void {
    this.state = take(this.state, { view: VIEW, effects: this.effects });
  }

  /** Takes so many frames, after a gap. */
  give(frames: number, gapFrames = 0): void {
    const startFrame = this.state.headFrame + gapFrames;
    const headFrame = startFrame + frames;
    this.do((state, step) => extend({ ...state, headFrame }, state.headFrame, startFrame, step));
  }

  add({ startFrame, endFrame }: FrameRange, cause: 'dropped' | 'gave-up'): void {
    this.do((state, step) => addHoles(state, { startFrame, endFrame }, cause, step));
  }

  /** Leaves all audio from a frame on to the fallback. */
  leave(startFrame: number): void {
    this.state = { ...this.state, phase: { type: 'unstreamed', startFrame, cause: 'gave-up' } };
  }

  /** The reported holes. */
  get events(): readonly HoleEvent[] {
    return this.effects.flatMap(one =>
      one.type === 'transcript' && one.event.type === 'hole' ? [one.event] : [],
    );
  }

  /** The causes and ranges of the reported holes, in frames. */
  get reported() {
    const frameAt = (seconds: number) => Math.round((seconds - 50) * RATE);
    return this.events.map(({ cause, ts, endTs }) => [cause, frameAt(ts), frameAt(endTs)]);
  }

  /** The holes to be repaired. */
  get repaired(): readonly Hole[] {
    return this.effects.flatMap(one => (one.type === 'repair' ? [one.hole] : []));
  }
}

describe('a hole', () => {
  test('is reported with its times and its cause', () => {
    const streamed = new Streamed();
    streamed.give(300);
    streamed.add(range(100, 250), 'dropped');
    expect(streamed.events).toEqual([{ type: 'hole', cause: 'dropped', ts: 51, endTs: 52.5 }]);
  });

  test('is reported once, also where others begin in it or lie around it', () => {
    const streamed = new Streamed();
    streamed.give(400);
    streamed.add(range(100, 200), 'dropped');
    streamed.add(range(150, 300), 'dropped');
    streamed.add(range(120, 180), 'gave-up');
    streamed.add(range(50, 400), 'gave-up');
    expect(streamed.reported).toEqual([
      ['dropped', 100, 200],
      ['dropped', 200, 300],
      ['gave-up', 50, 100],
      ['gave-up', 300, 400],
    ]);
  });

  test('that reaches beyond what is settled is still known', () => {
    const streamed = new Streamed();
    streamed.give(400);
    streamed.add(range(100, 200), 'dropped');
    streamed.state = { ...streamed.state, holes: withSettled(streamed.state.holes, 150) };
    streamed.add(range(150, 250), 'gave-up');
    expect(streamed.reported.slice(1)).toEqual([['gave-up', 200, 250]]);
  });

  test('is none where the source gave nothing, and one with such a place inside', () => {
    const streamed = new Streamed();
    streamed.give(50, 100);
    streamed.give(100, 50);
    streamed.add(range(20, 100), 'gave-up');
    streamed.add(range(150, 200), 'gave-up');
    expect(streamed.reported).toEqual([
      ['gap', 0, 100],
      ['gap', 150, 200],
    ]);
    streamed.add(range(120, 250), 'gave-up');
    expect(streamed.reported.slice(2)).toEqual([['gave-up', 120, 250]]);
  });

  test('has one query: a range with two of them becomes two holes', () => {
    const streamed = new Streamed({ marginSeconds: 0 });
    streamed.give(200);
    streamed.do((state, step) => withQuery(state, { startFrame: 100, query: { language: 'de' } }, step));
    streamed.add(range(50, 200), 'gave-up');
    streamed.give(1);
    expect(streamed.repaired.map(({ endFrame, query }) => [endFrame, query.language])).toEqual([
      [100, undefined],
      [200, 'de'],
    ]);
  });
});

describe('a hole that is to be repaired', () => {
  test('is handed over once, when the audio of its margin is there', () => {
    const streamed = new Streamed({ marginSeconds: 2 });
    streamed.give(500);
    streamed.add(range(300, 400), 'dropped');
    streamed.give(99);
    expect(streamed.repaired).toEqual([]);
    streamed.give(1);
    expect(streamed.repaired).toMatchObject([range(300, 400)]);
    streamed.give(1000);
    streamed.do(repairRest);
    expect(streamed.repaired).toHaveLength(1);
  });

  test('at the end of the audio has the margin that there is', () => {
    const streamed = new Streamed({ marginSeconds: 2 });
    streamed.give(500);
    streamed.add(range(300, 500), 'gave-up');
    expect(streamed.repaired).toEqual([]);
    streamed.do(repairRest);
    expect(streamed.repaired).toMatchObject([
      { ...range(300, 500), event: { cause: 'gave-up', ts: 53, endTs: 55 } },
    ]);
    expect(streamed.effects.at(-1)).toEqual({ type: 'awaitRepairs' });
  });

  test('keeps its audio and its margins before it is reported', () => {
    const streamed = new Streamed({ marginSeconds: 2 });
    streamed.give(1000);
    streamed.add(range(300, 400), 'gave-up');
    const [kept, reported] = streamed.effects;
    expect(kept).toEqual({ type: 'keep', range: range(100, 600) });
    expect(reported?.type).toBe('transcript');
  });

  test('is never a gap of the source', () => {
    const streamed = new Streamed({ marginSeconds: 2 });
    streamed.give(0, 300);
    streamed.do(repairRest);
    expect(streamed.repaired).toEqual([]);
  });
});

test('without a fallback no audio is kept, and no hole is handed over', () => {
  const streamed = new Streamed();
  streamed.give(1000);
  streamed.add(range(300, 400), 'gave-up');
  streamed.do(repairRest);
  expect(streamed.effects.map(({ type }) => type)).toEqual(['transcript', 'awaitRepairs']);
});

test('unstreamed audio becomes one hole an hour, and the rest of it another at the end', () => {
  const streamed = new Streamed();
  streamed.give(100);
  streamed.leave(40);
  for (let minute = 0; minute < 90; minute++) streamed.give(60 * RATE);
  streamed.do(repairRest);
  const hour = 3600 * RATE + 100;
  expect(streamed.reported).toEqual([
    ['gave-up', 40, hour],
    ['gave-up', hour, 100 + 5400 * RATE],
  ]);
});

test('unstreamed audio is let go by its holes alone, and without a fallback not at all', () => {
  for (const marginSeconds of [0.5, undefined]) {
    const streamed = new Streamed({ marginSeconds });
    streamed.leave(0);
    for (let minute = 0; minute < 61; minute++) streamed.give(60 * RATE);
    const kept = [
      { type: 'keep', range: range(0, 3600 * RATE + 50) },
      { type: 'transcript', event: expect.anything() },
      { type: 'release', frame: 3600 * RATE },
    ];
    const given = streamed.effects.filter(({ type }) => type !== 'repair');
    expect(given).toEqual(marginSeconds === undefined ? [kept[1]] : kept);
  }
});
