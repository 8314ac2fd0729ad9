import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type AudioBlock, framesOf } from '../../../src/audio/format/format.ts';
import type { SourceStatus } from '../../../src/audio/source/reconnecting.ts';
import { type ReconnectingOptions, reconnecting } from '../../../src/audio/source/reconnecting.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { blockAt, TEST_RATE } from '../../helpers/streamBlocks.ts';

/** A live source that the test connects, plays and breaks. */
function liveSource(options: Partial<ReconnectingOptions> = {}, firstOriginSeconds?: number) {
  const clock = new VirtualClock();
  const attempts: { readonly blocks$: Subject<AudioBlock>; readonly number: number; frame: number }[] = [];
  const [blocks, statuses, errors]: [AudioBlock[], SourceStatus[], unknown[]] = [[], [], []];
  let originSeconds = firstOriginSeconds;
  let isComplete = false;
  const subscription = reconnecting({
    connect(number) {
      const blocks$ = new Subject<AudioBlock>();
      attempts.push({ blocks$, number, frame: 0 });
      const origin = originSeconds;
      return { name: 'the desk', audio$: blocks$, openMs: 3000, originSeconds: () => origin };
    },
    waitMs: () => 500,
    sampleRate: TEST_RATE,
    lossMs: 2000,
    settleMs: 0,
    onStatus: status => statuses.push(status),
    clock,
    ...options,
  }).subscribe({
    next: block => blocks.push(block),
    error: error => errors.push(error),
    complete: () => {
      isComplete = true;
    },
  });
  return {
    clock,
    attempts,
    blocks,
    statuses,
    errors,
    subscription,
    isComplete: () => isComplete,
    setOrigin: (seconds: number) => {
      originSeconds = seconds;
    },
    /** Gives audio, which takes its own time, in blocks of 100 ms. */
    play(seconds: number) {
      for (let i = 0; i < seconds * 10; i++) {
        clock.advance(100);
        this.burst(0.1);
      }
    },
    /** Gives audio at once. */
    burst(seconds: number) {
      const attempt = attempts.at(-1)!;
      const frames = Math.round(seconds * TEST_RATE);
      attempt.blocks$.next(blockAt(attempt.frame, frames));
      attempt.frame += frames;
    },
    fail: () => attempts.at(-1)!.blocks$.error(new Error('It broke.')),
    seconds: () => blocks.map(({ startFrame }) => startFrame / TEST_RATE),
  };
}

/** Returns the places, in seconds, where a block does not follow the one before. */
function gaps(blocks: readonly AudioBlock[]) {
  return blocks.flatMap((block, i) => {
    const before = blocks[i - 1];
    const end = before ? before.startFrame + framesOf(before) : 0;
    return end === block.startFrame ? [] : [[end / TEST_RATE, block.startFrame / TEST_RATE]];
  });
}

describe('a live source', () => {
  test('that fails before its first block is an error', () => {
    const source = liveSource();
    source.fail();
    expect(source.errors).toEqual([expect.objectContaining({ message: 'It broke.' })]);
    expect(source.clock.pending).toBe(0);
  });

  test('that does not begin in time is an error', () => {
    const source = liveSource();
    source.clock.advance(3000);
    expect(source.errors).toEqual([expect.objectContaining({ code: 'timeout' })]);
  });

  test('that ends for good completes', () => {
    const source = liveSource();
    source.play(1);
    source.attempts[0]!.blocks$.complete();
    expect(source.isComplete()).toBe(true);
    expect(source.clock.pending).toBe(0);
  });

  test('goes on after a failure, at the position of the time that has passed', () => {
    const source = liveSource();
    source.play(6);
    source.fail();
    source.clock.advance(900);
    source.play(1);
    expect(source.attempts).toHaveLength(2);
    expect(gaps(source.blocks)).toEqual([[6, 6.9]]);
    expect(source.statuses).toEqual([
      { type: 'lost', name: 'the desk', message: 'The audio from the desk is lost. It broke.' },
      {
        type: 'back',
        name: 'the desk',
        lostSeconds: 0.9,
        message: 'There is audio from the desk again; 0.9 s are missing.',
      },
    ]);
  });

  test('that stops without a word is lost after two seconds', () => {
    const source = liveSource();
    source.play(6);
    source.clock.advance(1999);
    expect(source.attempts[0]!.blocks$.observed).toBe(true);
    source.clock.advance(1 + 100);
    expect(source.attempts[0]!.blocks$.observed).toBe(false);
    expect(source.statuses).toEqual([
      {
        type: 'lost',
        name: 'the desk',
        message: 'The audio from the desk is lost. No audio came from the desk for 2 s.',
      },
    ]);
  });

  test('is tried for as long as it takes, and reported once', () => {
    const source = liveSource();
    source.play(6);
    source.fail();
    for (let i = 0; i < 1000; i++) {
      source.clock.advance(600);
      source.fail();
    }
    source.clock.advance(600);
    source.play(1);
    expect(source.statuses.map(({ type }) => type)).toEqual(['lost', 'back']);
    expect(source.attempts.slice(1, 4).map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  test('that breaks again at once is not tried in a tight loop', () => {
    const source = liveSource({ waitMs: () => 1000 });
    for (let second = 0; second < 60; second++) {
      source.burst(0.1);
      source.fail();
      source.clock.advance(1000);
    }
    expect(source.attempts.length).toBeLessThanOrEqual(61);
  });

  test('leaves nothing behind when it is unsubscribed during a loss', () => {
    const source = liveSource();
    source.play(6);
    source.fail();
    source.clock.advance(50);
    source.subscription.unsubscribe();
    expect(source.clock.pending).toBe(0);
    source.clock.advance(10_000);
    expect(source.statuses).toEqual([]);
    expect(source.attempts).toHaveLength(1);
  });
});

describe('the audio of a later attempt', () => {
  test('that a server repeats at its start is left out', () => {
    const source = liveSource({ settleMs: 300 });
    source.play(10);
    source.fail();
    source.clock.advance(600);
    // Four seconds that were heard before, except for the last 0.9 of them.
    source.burst(4);
    source.clock.advance(300);
    source.play(1);
    expect(gaps(source.blocks)).toEqual([]);
    expect(source.blocks.at(-1)!.startFrame / TEST_RATE).toBeCloseTo(11.8);
  });

  test('follows the clock of the source where there is one', () => {
    const source = liveSource({}, 1000);
    source.play(6);
    source.setOrigin(1006.25);
    source.fail();
    source.clock.advance(900);
    source.play(1);
    expect(gaps(source.blocks)).toEqual([[6, 6.25]]);
  });

  test('ignores a clock of the source that was reset', () => {
    const source = liveSource({}, 1000);
    source.play(6);
    source.setOrigin(0);
    source.fail();
    source.clock.advance(1900);
    source.play(1);
    expect(gaps(source.blocks)).toEqual([[6, 7.9]]);
  });

  test('never goes back in time, whatever happens', () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('play' as const), seconds: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ type: fc.constant('burst' as const), seconds: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ type: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('fail' as const), seconds: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const source = liveSource({ settleMs: 300 });
        source.play(1);
        for (const { type, seconds } of steps) {
          if (type === 'wait') source.clock.advance(seconds * 1000);
          else source[type](seconds);
        }
        source.blocks.reduce((end, block) => {
          expect(block.startFrame).toBeGreaterThanOrEqual(end);
          return block.startFrame + framesOf(block);
        }, 0);
        source.subscription.unsubscribe();
        expect(source.clock.pending).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
