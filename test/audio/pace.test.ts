import { from, Observable, Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import { PACE_AHEAD_MS, pace } from '../../src/audio/pace.ts';
import { InvalidArgumentError } from '../../src/base/errors.ts';
import { createGate, type Gate } from '../../src/flow/gate.ts';
import { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import { rampBlock } from '../helpers/rampBlocks.ts';
import { schedulerClock } from '../helpers/schedulerClock.ts';

/** Blocks of 100 ms. */
const blockAt = (index: number) => rampBlock(index * 1600, 1600);

describe('in marbles, with blocks of 5 ms,', () => {
  const values = { a: rampBlock(0, 80), b: rampBlock(80, 80), c: rampBlock(160, 80) };
  const run = (test: Parameters<TestScheduler['run']>[0]) => {
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);
  };
  const paced = (speed: number | 'max') => pace({ speed, clock: schedulerClock });

  test('each comes when its end is due after the first came, completion behind them', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-(abc|)', values);
      expectObservable(source.pipe(paced(1))).toBe('------a----b----(c|)', values);
      expectSubscriptions(source.subscriptions).toBe('^!');
    });
  });

  test('the default is real time', () => {
    run(({ cold, expectObservable }) => {
      const source = cold('-(abc|)', values);
      expectObservable(source.pipe(pace({ clock: schedulerClock }))).toBe('------a----b----(c|)', values);
    });
    expect(pace()).toBeTypeOf('function');
  });

  test('speed 5 takes a fifth of the time', () => {
    run(({ cold, expectObservable }) => {
      expectObservable(cold('(abc|)', values).pipe(paced(5))).toBe('-ab(c|)', values);
    });
  });

  test('a late block comes at once, and the next is due as if it had been in time', () => {
    run(({ cold, expectObservable }) => {
      const source = cold('  a------------b-c--|', values);
      expectObservable(source.pipe(paced(1))).toBe('-----a-------b-c--|', values);
    });
  });

  test('an error keeps its place behind the audio', () => {
    run(({ cold, expectObservable }) => {
      expectObservable(cold('(ab#)', values).pipe(paced(1))).toBe('-----a----(b#)', values);
    });
  });

  test('an empty source completes at once', () => {
    run(({ cold, expectObservable }) => {
      expectObservable(cold<AudioBlock>('--|').pipe(paced(1))).toBe('--|');
    });
  });

  test('unsubscribing leaves the source, and nothing comes after', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('(abc)', values);
      expectObservable(source.pipe(paced(1)), '^------!').toBe('-----a--', values);
      expectSubscriptions(source.subscriptions).toBe('^------!');
    });
  });

  test('speed max changes nothing', () => {
    run(({ cold, expectObservable }) => {
      expectObservable(cold('(abc)--|', values).pipe(paced('max'))).toBe('(abc)--|', values);
    });
  });
});

test('3 hours of blocks do not drift', () => {
  const clock = new VirtualClock();
  const source = new Subject<AudioBlock>();
  let lastMs = 0;
  source.pipe(pace({ speed: 1, clock })).subscribe(() => {
    lastMs = clock.now();
  });
  // 1001 frames at 44.1 kHz last 22.698… ms, which no timer hits.
  const samples = new Float32Array(1001);
  const count = Math.ceil((3 * 3600 * 44_100) / 1001);
  for (let i = 0; i < count; i++) {
    source.next({ startFrame: i * 1001, sampleRate: 44_100, channels: 1, samples });
    clock.advance(22.69);
  }
  clock.advance(10_000);
  expect(lastMs).toBeCloseTo((count * 1001) / 44.1, 6);
});

describe('with a gate', () => {
  /** A source that waits at the gate before each block, as files do. */
  function fileOf(count: number, gate: Gate): { blocks: Observable<AudioBlock>; read: () => number } {
    let read = 0;
    const blocks = new Observable<AudioBlock>(subscriber => {
      const controller = new AbortController();
      const run = async () => {
        for (; read < count; read++) {
          await gate.whenOpen(controller.signal);
          subscriber.next(blockAt(read));
        }
        subscriber.complete();
      };
      run().catch(() => {});
      return () => controller.abort();
    });
    return { blocks, read: () => read };
  }

  test.for([1, 20])(
    'at speed %i the source is never read far ahead, and all of it comes in time',
    async speed => {
      const clock = new VirtualClock();
      const gate = createGate();
      const { blocks, read } = fileOf(200, gate);
      const seen: [number, number][] = [];
      let farthest = 0;
      let completed = false;
      blocks.pipe(pace({ speed, gate, clock })).subscribe({
        next: ({ startFrame }) => {
          seen.push([startFrame / 1600, clock.now()]);
          farthest = Math.max(farthest, read() - seen.length);
        },
        complete: () => {
          completed = true;
        },
      });
      await clock.advanceAsync(20_000 / speed);
      expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => [i, ((i + 1) * 100) / speed]));
      expect(completed).toBe(true);
      expect(farthest).toBeLessThanOrEqual((PACE_AHEAD_MS * speed) / 100 + 2);
      expect([gate.isOpen, clock.pending]).toEqual([true, 0]);
    },
  );

  test('who leaves early leaves the gate open and no timer', () => {
    const clock = new VirtualClock();
    const gate = createGate();
    const blocks = from(Array.from({ length: 20 }, (_, i) => blockAt(i)));
    const subscription = blocks.pipe(pace({ speed: 1, gate, clock })).subscribe();
    expect([gate.isOpen, clock.pending]).toEqual([false, 1]);
    subscription.unsubscribe();
    expect([gate.isOpen, clock.pending]).toEqual([true, 0]);
  });

  test('the hold of another who shares the gate stays', () => {
    const clock = new VirtualClock();
    const gate = createGate();
    gate.hold();
    from([blockAt(0), blockAt(10)])
      .pipe(pace({ speed: 1, gate, clock }))
      .subscribe();
    clock.advance(5000);
    expect(gate.isOpen).toBe(false);
  });
});

test('a source that answers each block with the next loses nothing', () => {
  const clock = new VirtualClock();
  const source = new Subject<AudioBlock>();
  const seen: number[] = [];
  source.pipe(pace({ speed: 1, clock })).subscribe(({ startFrame }) => {
    const index = startFrame / 1600;
    seen.push(index);
    if (index < 5) source.next(blockAt(index + 1));
    else source.complete();
  });
  source.next(blockAt(0));
  clock.advance(250);
  expect([seen, clock.pending]).toEqual([[0, 1], 1]);
  clock.advance(1000);
  expect([seen, clock.pending]).toEqual([[0, 1, 2, 3, 4, 5], 0]);
});

test.for([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('speed %d is refused', speed => {
  expect(() => pace({ speed })).toThrow(InvalidArgumentError);
});
