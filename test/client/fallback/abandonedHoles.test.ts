import { describe, expect, test } from 'vitest';
import { abandonedHoles } from '../../../src/client/fallback/abandonedHoles.ts';
import type { SpoolNote } from '../../../src/client/spool/spool.ts';
import type { HoleCause, LiveEvent } from '../../../src/transcript/model/events.ts';

/** Ten frames a second. */
const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;

const event = (one: LiveEvent): SpoolNote => ({ type: 'event', event: one });
const final = (ts: number, endTs: number) => event({ type: 'final', ts, endTs, elements: [] });
const silence = (ts: number, endTs: number) => event({ type: 'silence', ts, endTs });
const hole = (ts: number, endTs: number, cause: HoleCause = 'gave-up') =>
  event({ type: 'hole', ts, endTs, cause });
const repair = (ts: number, endTs: number) =>
  event({ type: 'repair', ts, endTs, monologues: [], jobId: 'a' });
const job = (ts: number, endTs: number, jobId: string): SpoolNote => ({
  ...{ type: 'job', jobId, address: 'http://127.0.0.1:9' },
  hole: { startFrame: ts * 10, endFrame: endTs * 10 },
});

/** Spans as text, such as `0-20 30-60`. */
const spans = (text: string) => text.split(' ').map(span => span.split('-').map(Number) as [number, number]);

/** Returns what is left of some seconds of audio, in seconds. */
function left(notes: readonly SpoolNote[], audio: readonly (readonly number[])[], startTs?: number) {
  const result = abandonedHoles({
    notes,
    format,
    subject: { addresses: [], query: startTs === undefined ? {} : { startTs }, marginSeconds: 2 },
    audio: audio.map(([from = 0, to = 0]) => ({ startFrame: from * 10, endFrame: to * 10 })),
  });
  return {
    killed: result.killed.map(({ ts, endTs }) => `${ts}-${endTs}`),
    beyondRepair: result.beyondRepair.map(({ event: { ts, endTs, cause } }) => `${ts}-${endTs} ${cause}`),
    holes: result.holes.map(({ event: { ts, endTs, cause } }) => `${ts}-${endTs} ${cause}`),
    frames: result.holes.map(({ startFrame, endFrame }) => `${startFrame / 10}-${endFrame / 10}`),
    jobs: result.earlierJobs.map(
      ({ jobId, hole: { startFrame, endFrame } }) => `${jobId} ${startFrame / 10}-${endFrame / 10}`,
    ),
  };
}

describe('the audio without text that a killed process has left', () => {
  test('is all its audio when it had said nothing', () => {
    expect(left([], [[0, 60]])).toEqual({
      killed: ['0-60'],
      holes: ['0-60 killed'],
      frames: ['0-60'],
      jobs: [],
      beyondRepair: [],
    });
  });

  test('is what is behind its last final, and no pause before', () => {
    expect(left([final(1, 5), final(8, 20)], [[0, 60]])).toMatchObject({
      killed: ['20-60'],
      holes: ['20-60 killed'],
    });
  });

  test('is nothing when all is final or silent', () => {
    expect(left([final(1, 5), silence(5, 60)], [[0, 60]])).toMatchObject({ killed: [], holes: [] });
  });

  test('are the holes that it knew, without what was repaired', () => {
    const notes = [
      final(0, 10),
      hole(10, 20),
      final(20, 30),
      hole(30, 40),
      repair(30, 35),
      repair(10, 20),
      final(40, 60),
    ];
    expect(left(notes, [[0, 60]])).toMatchObject({ killed: [], holes: ['35-40 gave-up'] });
  });

  test('is one hole where an old one goes on', () => {
    expect(left([final(0, 10), hole(10, 20)], [[0, 60]])).toMatchObject({
      killed: ['20-60'],
      holes: ['10-60 gave-up'],
    });
  });

  test('is not what the source did not give', () => {
    const audio = spans('0-40 50-60');
    // The gap is reported when the audio behind it comes, while the words before it are still on their way.
    expect(left([final(0, 10), hole(40, 50, 'gap')], audio)).toMatchObject({
      killed: ['10-40', '50-60'],
      holes: ['10-40 killed', '50-60 killed'],
    });
  });

  test('is also what was ahead of audio that was dropped', () => {
    const audio = spans('0-20 30-60');
    expect(left([final(0, 10), hole(20, 30, 'dropped')], audio)).toMatchObject({
      killed: ['10-20', '30-60'],
      holes: ['10-20 killed', '30-60 killed'],
    });
  });

  test('are only holes that have audio', () => {
    expect(left([hole(0, 10, 'dropped'), hole(20, 30, 'dropped'), final(10, 30)], [[15, 25]])).toMatchObject({
      holes: ['20-25 dropped'],
    });
  });

  test('has its frames also where the time does not begin at 0', () => {
    expect(left([final(1000, 1010)], [[0, 60]], 1000)).toMatchObject({
      holes: ['1010-1060 killed'],
      frames: ['10-60'],
    });
  });
});

describe('a small gap of the source', () => {
  test('is part of a hole that goes on behind it, whatever else is there', () => {
    const audio = spans('0-20 23-40 45-60');
    const notes = [final(0, 10), hole(20, 23, 'gap'), hole(40, 45, 'gap')];
    expect(left(notes, audio)).toMatchObject({
      killed: ['10-40', '45-60'],
      holes: ['10-40 killed', '45-60 killed'],
      beyondRepair: [],
    });
  });

  test('joins no holes between which there is text as well', () => {
    const audio = spans('0-20 21-40');
    const notes = [hole(10, 18), hole(20, 21, 'gap'), hole(21, 30), final(0, 40)];
    expect(left(notes, audio)).toMatchObject({ holes: ['10-18 gave-up', '21-30 gave-up'] });
  });

  test('costs no time, however many there are', () => {
    const seconds = Array.from({ length: 20_000 }, (_, at) => at * 2);
    const notes = seconds.flatMap(ts => [hole(ts, ts + 1, 'gave-up'), hole(ts + 1, ts + 2, 'gap')]);
    const audio = seconds.map(ts => [ts, ts + 1] as const);
    const started = performance.now();
    expect(left(notes, audio)).toMatchObject({ holes: ['0-39999 gave-up'], killed: [] });
    const apart = seconds.map(ts => hole(ts, ts + 1));
    expect(left([...apart, final(0, 40_000)], audio).holes).toHaveLength(20_000);
    // Some 100 ms; minutes when each is compared with each.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('a hole without audio', () => {
  test('is beyond repair, but for gaps and what was repaired', () => {
    const notes = [hole(0, 10, 'dropped'), hole(12, 14, 'gap'), hole(10, 30), repair(26, 28), final(0, 30)];
    expect(left(notes, [[15, 25]])).toMatchObject({
      holes: ['15-25 gave-up'],
      beyondRepair: ['0-12 dropped', '14-15 gave-up', '25-26 gave-up', '28-30 gave-up'],
    });
  });

  test('is nothing where all is there', () => {
    expect(left([final(0, 10), hole(10, 20)], [[0, 60]])).toMatchObject({ beyondRepair: [] });
  });
});

describe('a job that was submitted', () => {
  test('gives way to a newer one for a part of its audio, so that nothing is heard twice', () => {
    const jobs = [job(10, 30, 'a'), job(20, 40, 'b'), job(10, 15, 'c'), job(38, 40, 'd')];
    expect(left([hole(10, 40), final(0, 60), ...jobs], [[0, 60]])).toMatchObject({
      holes: ['10-15 gave-up', '15-38 gave-up', '38-40 gave-up'],
      jobs: ['c 10-15', 'd 38-40'],
    });
  });

  test('stands for its part of a hole, the last one of each', () => {
    const notes = [
      final(0, 10),
      hole(10, 40),
      job(10, 20, 'a'),
      job(20, 30, 'b'),
      job(20, 30, 'c'),
      repair(10, 20),
    ];
    expect(left(notes, [[0, 60]])).toMatchObject({
      holes: ['20-30 gave-up', '30-60 gave-up'],
      jobs: ['c 20-30'],
    });
  });

  test('is of no use when its hole is repaired, or its audio is gone', () => {
    const notes = [
      hole(10, 20),
      hole(30, 40),
      final(0, 60),
      job(10, 20, 'a'),
      job(30, 40, 'b'),
      repair(10, 20),
    ];
    expect(left(notes, [[0, 30]])).toMatchObject({ holes: [], jobs: [] });
  });
});
