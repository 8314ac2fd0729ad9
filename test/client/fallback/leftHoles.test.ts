import { describe, expect, test } from 'vitest';
import { leftHoles } from '../../../src/client/fallback/leftHoles.ts';
import type { SpoolNote } from '../../../src/client/spool/spool.ts';
import type { HoleCause, LiveEvent } from '../../../src/transcript/events.ts';

/** Ten frames a second. */
const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;

type Span = readonly [startTs: number, endTs: number];

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

/** What is left of audio of some seconds, in seconds. */
function left(notes: readonly SpoolNote[], audio: readonly Span[], startTs?: number) {
  const result = leftHoles({
    notes,
    format,
    subject: { addresses: [], query: startTs === undefined ? {} : { startTs }, marginSeconds: 2 },
    audio: audio.map(([from, to]) => ({ startFrame: from * 10, endFrame: to * 10 })),
  });
  return {
    killed: result.killed.map(({ ts, endTs }) => [ts, endTs]),
    holes: result.holes.map(({ event: { ts, endTs, cause } }) => [ts, endTs, cause]),
    frames: result.holes.map(({ startFrame, endFrame }) => [startFrame / 10, endFrame / 10]),
    jobs: result.earlierJobs.map(({ jobId, hole: { startFrame, endFrame } }) => [
      jobId,
      startFrame / 10,
      endFrame / 10,
    ]),
  };
}

describe('what a killed process has left', () => {
  test('is all its audio when it had said nothing', () => {
    expect(left([], [[0, 60]])).toEqual({
      killed: [[0, 60]],
      holes: [[0, 60, 'killed']],
      frames: [[0, 60]],
      jobs: [],
    });
  });

  test('is what is behind its last final, and no pause before', () => {
    expect(left([final(1, 5), final(8, 20)], [[0, 60]])).toMatchObject({
      killed: [[20, 60]],
      holes: [[20, 60, 'killed']],
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
    expect(left(notes, [[0, 60]])).toMatchObject({ killed: [], holes: [[35, 40, 'gave-up']] });
  });

  test('is one hole where an old one goes on', () => {
    expect(left([final(0, 10), hole(10, 20)], [[0, 60]])).toMatchObject({
      killed: [[20, 60]],
      holes: [[10, 60, 'gave-up']],
    });
  });

  test('is not what the source did not give', () => {
    const audio: readonly Span[] = [
      [0, 40],
      [50, 60],
    ];
    // The gap is told of when the audio behind it comes, while the words before it are still on their way.
    expect(left([final(0, 10), hole(40, 50, 'gap')], audio)).toMatchObject({
      killed: [
        [10, 40],
        [50, 60],
      ],
      holes: [
        [10, 40, 'killed'],
        [50, 60, 'killed'],
      ],
    });
  });

  test('is also what was ahead of audio that was dropped', () => {
    const audio: readonly Span[] = [
      [0, 20],
      [30, 60],
    ];
    expect(left([final(0, 10), hole(20, 30, 'dropped')], audio)).toMatchObject({
      killed: [
        [10, 20],
        [30, 60],
      ],
      holes: [
        [10, 20, 'killed'],
        [30, 60, 'killed'],
      ],
    });
  });

  test('are only holes that have audio', () => {
    expect(left([hole(0, 10, 'dropped'), hole(20, 30, 'dropped'), final(10, 30)], [[15, 25]])).toMatchObject({
      holes: [[20, 25, 'dropped']],
    });
  });

  test('has its frames also where the time does not begin at 0', () => {
    expect(left([final(1000, 1010)], [[0, 60]], 1000)).toMatchObject({
      holes: [[1010, 1060, 'killed']],
      frames: [[10, 60]],
    });
  });
});

describe('a job that was submitted', () => {
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
      holes: [
        [20, 30, 'gave-up'],
        [30, 60, 'gave-up'],
      ],
      jobs: [['c', 20, 30]],
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
