import fc from 'fast-check';
import { BehaviorSubject, from, lastValueFrom, NEVER, Observable, of, Subject, take, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import { pausable } from '../../src/audio/pausable.ts';
import { rampBlock } from '../helpers/rampBlocks.ts';

const a = rampBlock(0, 10);
const b = rampBlock(10, 20);
const c = rampBlock(30, 10);
const d = rampBlock(40, 10);
/** The block, as if the source were so many frames behind. */
const earlier = (block: AudioBlock, frames: number) => ({ ...block, startFrame: block.startFrame - frames });

describe('in marbles', () => {
  const values = { a, b, c, d, C: earlier(c, 20), D: earlier(d, 20), y: true, n: false };
  const blocks = { a, b, c, d, C: values.C, D: values.D };
  const switches = { y: true, n: false };
  const run = (test: Parameters<TestScheduler['run']>[0]) =>
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);

  test('audio during a pause becomes a gap while the clock runs', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold(' -a--b--c--d--|', blocks);
      const paused$ = cold('--y--n--------', switches);
      expectObservable(source.pipe(pausable({ paused$ }))).toBe('-a-----c--d--|', blocks);
      expectSubscriptions(source.subscriptions).toBe('^------------!');
      expectSubscriptions(paused$.subscriptions).toBe('^------------!');
    });
  });

  test('a pause stays when no more events come', () => {
    run(({ cold, expectObservable }) => {
      const source = cold(' -a--b--c--|', blocks);
      const paused$ = cold('--(y|)', switches);
      expectObservable(source.pipe(pausable({ paused$ }))).toBe('-a--------|', blocks);
    });
  });

  test('the source completes and fails in a pause, too', () => {
    run(({ cold, expectObservable }) => {
      const paused$ = of(true);
      expectObservable(cold('-a--|', blocks).pipe(pausable({ paused$ }))).toBe('----|');
      expectObservable(cold('-a--#', blocks).pipe(pausable({ paused$ }))).toBe('----#');
    });
  });

  test('an error of the pauses ends the stream and leaves the source', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a--b--c--|', blocks);
      const paused$ = cold<boolean>('---#');
      expectObservable(source.pipe(pausable({ paused$ }))).toBe('-a-#', blocks);
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  test('unsubscribing leaves the source and the pauses', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a--b--c--|', blocks);
      const paused$ = cold<boolean>('-');
      expectObservable(source.pipe(pausable({ paused$ })), '^----!').toBe('-a--b-', blocks);
      expectSubscriptions(source.subscriptions).toBe('^----!');
      expectSubscriptions(paused$.subscriptions).toBe('^----!');
    });
  });
});

test('no source is started when the pauses fail at once', () => {
  const failed$ = new Observable<boolean>(subscriber => subscriber.error(new Error('no switch')));
  let starts = 0;
  const source = new Observable<AudioBlock>(() => {
    starts++;
  });
  let error: unknown;
  source.pipe(pausable({ paused$: failed$ })).subscribe({ error: reason => (error = reason) });
  expect(error).toEqual(new Error('no switch'));
  expect(starts).toBe(0);
});

test('nothing more is taken of a source that gives all at once', () => {
  let given = 0;
  const source = from(
    (function* () {
      for (; given < 1000; given++) yield rampBlock(given * 10, 10);
    })(),
  );
  source.pipe(pausable({ paused$: NEVER }), take(2)).subscribe();
  expect(given).toBe(1);
});

test('each subscriber has positions of its own', async () => {
  const paused$ = new BehaviorSubject(true);
  const source = new Subject<AudioBlock>();
  const stream = source.pipe(pausable({ paused$, clock: 'stop' }));
  const first = lastValueFrom(stream.pipe(toArray()));
  source.next(a);
  paused$.next(false);
  const second = lastValueFrom(stream.pipe(toArray()));
  source.next(b);
  source.complete();
  expect(await first).toEqual([earlier(b, 10)]);
  expect(await second).toEqual([b]);
});

describe('a source that gives nothing in the pause by itself', () => {
  /** Block a, a pause without a block, then another one. */
  async function around(next: AudioBlock, clock: 'run' | 'stop'): Promise<AudioBlock[]> {
    const paused$ = new BehaviorSubject(false);
    const source = new Subject<AudioBlock>();
    const blocks = lastValueFrom(source.pipe(pausable({ paused$, clock }), toArray()));
    source.next(a);
    paused$.next(true);
    paused$.next(false);
    source.next(next);
    source.complete();
    return blocks;
  }

  test.for(['run', 'stop'] as const)('may go on with its own numbers (clock: %s)', async clock => {
    expect(await around(b, clock)).toEqual([a, b]);
  });

  test('may leave out the numbers of the pause', async () => {
    expect(await around(d, 'run')).toEqual([a, d]);
    expect(await around(d, 'stop')).toEqual([a, earlier(d, 30)]);
  });
});

/** Blocks with gaps before some of them, and whether there is a pause as each comes. */
const someStream = fc.array(
  fc.record({
    gap: fc.oneof(fc.constant(0), fc.nat(500)),
    frames: fc.integer({ min: 1, max: 300 }),
    isPaused: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

async function played(
  stream: readonly { gap: number; frames: number; isPaused: boolean }[],
  clock: 'run' | 'stop',
) {
  const paused$ = new BehaviorSubject(false);
  const source = new Subject<AudioBlock>();
  const result = lastValueFrom(source.pipe(pausable({ paused$, clock }), toArray()));
  const given: AudioBlock[] = [];
  let at = 0;
  for (const { gap, frames, isPaused } of stream) {
    paused$.next(isPaused);
    const block = rampBlock(at + gap, frames);
    at += gap + frames;
    if (!isPaused) given.push(block);
    source.next(block);
  }
  source.complete();
  return { given, blocks: await result };
}

test('whatever the pauses, a running clock moves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(someStream, async stream => {
      const { given, blocks } = await played(stream, 'run');
      expect(blocks).toEqual(given);
    }),
  );
});

test('a stopping clock counts exactly the emitted frames and the gaps outside of pauses, whatever the pauses', async () => {
  await fc.assert(
    fc.asyncProperty(someStream, async stream => {
      const { given, blocks } = await played(stream, 'stop');
      expect(blocks.map(({ samples }) => samples)).toEqual(given.map(({ samples }) => samples));
      let at = 0;
      let index = 0;
      for (const [i, { gap, frames, isPaused }] of stream.entries()) {
        if (isPaused) continue;
        if (!stream[i - 1]?.isPaused) at += gap;
        expect(blocks[index++]!.startFrame).toBe(at);
        at += frames;
      }
    }),
  );
});
