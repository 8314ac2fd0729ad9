import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  delay,
  filter,
  lastValueFrom,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  of,
  retry,
  scan,
  share,
  subscribeOn,
  tap,
  throwError,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../src/audio/chunk.ts';
import { type AudioBlock, framesOf } from '../../../src/audio/format/format.ts';
import { pace } from '../../../src/audio/pace.ts';
import { resample } from '../../../src/audio/resample/resample.ts';
import { fromFrames } from '../../../src/audio/source/frames.ts';
import { fromReadable } from '../../../src/audio/source/readable.ts';
import type { TranscribeOptions } from '../../../src/client/stream/options.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';

/** A service that nothing is sent to, as the token is missing: only the pipeline itself holds audio. */
const UNSENT = { url: 'http://127.0.0.1:1', token: () => new Promise<string>(() => {}) };

/** Seconds of audio that no pipeline may read ahead. */
const TOO_MUCH = 500;

/** A long source of audio at 8 kHz that counts what is read of it, by all its subscriptions. */
function longSource() {
  const read = { seconds: 0 };
  function* tenths(from: number) {
    for (let at = from; at < 4 * TOO_MUCH; at += 0.1) {
      read.seconds += 0.1;
      yield new Int16Array(800);
    }
  }
  const audio$ = (seconds = Number.POSITIVE_INFINITY) =>
    defer(() => fromFrames(tenths(Math.max(0, 4 * TOO_MUCH - seconds)), { sampleRate: 8000, channels: 1 }));
  return { read, audio$ };
}

const shaped = (): MonoTypeOperatorFunction<AudioBlock> => audio$ => audio$.pipe(resample(), chunk());

const stream = (options: Partial<TranscribeOptions> = {}) => transcribe({ ...UNSENT, ...options });

function run(events$: Observable<unknown>): Disposable {
  const subscription = events$.subscribe({ error: () => {} });
  return { [Symbol.dispose]: () => subscription.unsubscribe() };
}

/** Resolves with the seconds that a source has read when it reads no more for half a second. */
async function readAhead(read: { readonly seconds: number }): Promise<number> {
  for (let before = -1; before !== read.seconds; ) {
    before = read.seconds;
    if (before > TOO_MUCH) break;
    await sleep(500);
  }
  return read.seconds;
}

describe.concurrent('without a gate, a source waits for a stream that sends nothing,', () => {
  test.each<[string, MonoTypeOperatorFunction<AudioBlock>]>([
    ['nothing', audio$ => audio$],
    ['resample() and chunk()', shaped()],
    ['delay()', audio$ => audio$.pipe(shaped(), delay(1000))],
    [
      'concatMap() with promises',
      audio$ =>
        audio$.pipe(
          shaped(),
          concatMap(block => sleep(1, block)),
        ),
    ],
    [
      'copies of its blocks',
      audio$ =>
        audio$.pipe(
          shaped(),
          map(block => ({ ...block })),
        ),
    ],
    [
      'blocks made anew',
      audio$ =>
        audio$.pipe(
          shaped(),
          map(({ startFrame, sampleRate, channels, samples }) => ({
            startFrame,
            sampleRate,
            channels,
            samples,
          })),
          delay(500),
        ),
    ],
    ['a late subscription', audio$ => audio$.pipe(shaped(), subscribeOn(asyncScheduler))],
    ['pace()', audio$ => audio$.pipe(shaped(), pace({ speed: 0.001 }))],
  ])('behind %s', async (_, operator) => {
    const { read, audio$ } = longSource();
    using _1 = run(audio$().pipe(operator, stream()));
    expect(await readAhead(read)).toBeLessThan(100);
  });

  test('as a pipe', async () => {
    const read = { seconds: 0 };
    const pipe = new Readable({
      read() {
        read.seconds += 0.1;
        this.push(read.seconds < 4 * TOO_MUCH ? Buffer.alloc(3200) : null);
      },
    });
    const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
    using _2 = run(fromReadable(pipe, { format }).pipe(chunk(), stream()));
    expect(await readAhead(read)).toBeLessThan(100);
  });

  test('as the second one of concat()', async () => {
    const { read, audio$ } = longSource();
    const first$ = audio$(2);
    const second$ = audio$().pipe(map(block => ({ ...block, startFrame: block.startFrame + 16_000 })));
    using _3 = run(concat(first$, second$).pipe(shaped(), delay(100), stream()));
    expect(await readAhead(read)).toBeLessThan(100);
  });

  test.each([['at once', 0] as const, ['later', 50] as const])('repeated %s by retry()', async (_, ms) => {
    const { read, audio$ } = longSource();
    let attempts = 0;
    const failing$ = defer(() => {
      attempts++;
      return attempts < 3
        ? concat(
            audio$(1),
            throwError(() => new Error('lost')),
          )
        : audio$();
    });
    const repeated$ = failing$.pipe(retry(ms === 0 ? {} : { delay: ms }), scan(renumber, undefined));
    using _4 = run(
      repeated$.pipe(
        map(block => block!),
        shaped(),
        stream(),
      ),
    );
    await expect.poll(() => attempts).toBe(3);
    expect(await readAhead(read)).toBeLessThan(100);
  });

  test('shared with a stream that reads on', async () => {
    const { read, audio$ } = longSource();
    const shared$ = audio$().pipe(share());
    using _5 = run(shared$);
    using _6 = run(shared$.pipe(shaped(), stream()));
    expect(await readAhead(read)).toBeLessThan(100);
  });

  test('with channels apart', async () => {
    const { read, audio$ } = longSource();
    const live = stream({ channelStreams: 'apart', query$: of({}) });
    using _7 = run(audio$().pipe(chunk(), live));
    expect(await readAhead(read)).toBeLessThan(100);
  });
});

test('a source goes on while an operator drops its blocks, though not at full speed', async () => {
  const { read, audio$ } = longSource();
  const wanted$ = audio$().pipe(
    shaped(),
    filter(({ startFrame }) => startFrame >= 60 * 16_000),
    stream(),
  );
  using _8 = run(wanted$);
  await expect.poll(() => read.seconds).toBeGreaterThan(60);
  expect(await readAhead(read)).toBeLessThan(160);
});

test('a source goes on when the stream that held it has ended', async () => {
  const { read, audio$ } = longSource();
  const shared$ = audio$().pipe(shaped(), share());
  const held = shared$.pipe(stream()).subscribe();
  using _9 = run(shared$);
  const ahead = await readAhead(read);
  expect(ahead).toBeLessThan(100);
  held.unsubscribe();
  await expect.poll(() => read.seconds).toBeGreaterThan(TOO_MUCH);
});

test('a source without a consumer that counts is read at full speed', async () => {
  const { read, audio$ } = longSource();
  await lastValueFrom(audio$().pipe(shaped()));
  expect(read.seconds).toBeGreaterThan(4 * TOO_MUCH - 1);
});

test('a pipe that gives audio in its own time is read on, as it would lose what is not read', async () => {
  const clock = new VirtualClock();
  const pipe = new PassThrough();
  const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
  let readFrames = 0;
  const audio$ = fromReadable(pipe, { format }).pipe(
    tap(block => {
      readFrames = block.startFrame + framesOf(block);
    }),
  );
  using _10 = run(audio$.pipe(stream({ clock, resume: { firstConnectionSeconds: 3600 } })));
  for (let second = 1; second <= 60; second++) {
    pipe.write(Buffer.alloc(32_000));
    await expect.poll(() => readFrames, { interval: 1 }).toBe(second * 16_000);
    clock.advance(1000);
  }
});

/** Goes on counting frames where the attempt before ended. */
function renumber(before: AudioBlock | undefined, block: AudioBlock): AudioBlock {
  return before ? { ...block, startFrame: before.startFrame + framesOf(before) } : block;
}
