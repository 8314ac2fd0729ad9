import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { lastValueFrom, Observable, of, Subject, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../src/audio/chunk.ts';
import { type AudioBlock, framesOf } from '../../../src/audio/format/format.ts';
import { level } from '../../../src/audio/level.ts';
import { resample } from '../../../src/audio/resample/resample.ts';
import {
  type Frames,
  type FramesSource,
  fromFrames,
  MAX_FLOAT_SAMPLE,
} from '../../../src/audio/source/frames.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { readAudio } from '../../helpers/readAudio.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const MONO = { sampleRate: 16_000, channels: 1 };
const STEREO = { sampleRate: 44_100, channels: 2 };
const INTEGERS = [
  new Int16Array([0, 16_384, -32_768, 32_767]),
  new Int16Array(0),
  new Int16Array([8192, -8192]),
];
const FLOATS = [0, 0.5, -1, 32_767 / 32_768, 0.25, -0.25];

async function* later<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) {
    await setImmediate();
    yield value;
  }
}

/** The error of a source, which is subscribed to. */
const errorOf = (frames: FramesSource, options = MONO): Promise<Error> =>
  lastValueFrom(fromFrames(frames, options).pipe(toArray())).then(
    () => expect.unreachable('wanted an error'),
    error => error,
  );

const sources: readonly [string, (frames: readonly Frames[]) => FramesSource][] = [
  ['an iterable', frames => frames],
  ['an async iterable', later],
  ['an Observable', frames => of(...frames)],
  ['a ReadableStream', frames => ReadableStream.from(frames)],
];

describe.each(sources)('frames of %s', (_, sourceOf) => {
  test('are blocks that follow each other, of integers and of floats alike', async () => {
    const floats = [Float32Array.from(FLOATS.slice(0, 4)), Float32Array.from(FLOATS.slice(4))];
    for (const frames of [INTEGERS, floats]) {
      expect(await readAudio(fromFrames(sourceOf(frames), STEREO))).toEqual({
        ...STEREO,
        frames: 3,
        samples: Float32Array.from(FLOATS),
      });
    }
  });

  test('are heard by a service after the operators', async () => {
    const speech = scriptedSpeech([4, 7, 0, 0, 0, 9]);
    const frames = Array.from({ length: 12 }, (_, at) => speech.slice(at * 800, (at + 1) * 800));
    const { url } = await startTestService();
    const live = transcribe({ url, token: TEST_TOKEN });
    const events = await lastValueFrom(
      fromFrames(sourceOf(frames), MONO).pipe(resample(), chunk(100), live, toArray()),
    );
    const finals = events.filter(event => event.type === 'final');
    const words = finals.flatMap(({ elements }) => elements.filter(({ type }) => type === 'text'));
    expect(words.map(({ value }) => value.toLowerCase())).toEqual(['w4', 'w7', 'w9']);
  });

  test.each<[string, unknown[], RegExp]>([
    ['bytes', [new Uint8Array(4)], /not an? Uint8Array\. Pass bytes of raw PCM to fromReadable\(\)/],
    ['a Buffer', [Buffer.alloc(4)], /not a Buffer\. Pass bytes of raw PCM to fromReadable\(\)/],
    [
      'doubles',
      [new Float64Array(4)],
      /at frame 0: expected an Int16Array or a Float32Array, not a Float64Array/,
    ],
    ['unsigned integers', [new Uint16Array(4)], /not a Uint16Array/],
    ['numbers', [1, 2], /not a number/],
    ['lists of numbers', [[1, 2]], /not an Array/],
    ['blocks', [{ samples: new Float32Array(2) }], /not an object/],
    ['nothing', [undefined], /not undefined/],
    [
      'both types',
      [new Int16Array(4), new Float32Array(4)],
      /at frame 2: all arrays must be of the type of the first, Int16Array, not a Float32Array/,
    ],
    [
      'a part of a frame',
      [new Int16Array(4), new Int16Array(3)],
      /at frame 2: an array of 3 samples does not hold whole frames of 2/,
    ],
    ['no number', [Float32Array.of(0, 0, 0, Number.NaN)], /at frame 1: floats must be from -1 to 1, not NaN/],
    ['infinity', [Float32Array.of(0, Number.NEGATIVE_INFINITY)], /at frame 0: .*, not -Infinity/],
    [
      'floats in the scale of integers',
      [Float32Array.of(0, 1203)],
      /at frame 0: .*, not 1203\. Divide floats in the 16-bit scale by 32768/,
    ],
  ])('are refused when they are %s', async (_, frames, message) => {
    const error = await errorOf(sourceOf(frames as Frames[]), STEREO);
    expect(error).toMatchObject({ code: 'invalid-argument' });
    expect(error.message).toMatch(/^Cannot read the samples at frame .*\.$/);
    expect(error.message).toMatch(message);
  });
});

test('floats a little over full scale are clipped, those far beyond are refused', async () => {
  const over = Float32Array.of(1.2, -MAX_FLOAT_SAMPLE, 0.5, MAX_FLOAT_SAMPLE);
  const { samples } = await readAudio(fromFrames([over], MONO));
  expect([...samples]).toEqual([1, -1, 0.5, 1]);
  expect(over[0]).toBeCloseTo(1.2);
  expect((await errorOf([Float32Array.of(MAX_FLOAT_SAMPLE + 0.01)])).message).toMatch(
    /floats must be from -1 to 1/,
  );
});

test('an array may be used again, and a long one becomes blocks that others can wait between', async () => {
  const buffer = new Float32Array(4);
  function* reused() {
    for (const value of [0.25, 0.5]) yield buffer.fill(value);
  }
  const blocks = await lastValueFrom(fromFrames(reused(), MONO).pipe(toArray()));
  expect(blocks.map(({ samples }) => samples[0])).toEqual([0.25, 0.5]);
  const long = await lastValueFrom(fromFrames([new Int16Array(2 * 100_000)], STEREO).pipe(toArray()));
  expect(Math.max(...long.map(framesOf))).toBeLessThan(20_000);
  expect(long.reduce((sum, block) => sum + framesOf(block), 0)).toBe(100_000);
});

test('arrays of another realm are accepted', async () => {
  const foreign = runInNewContext('new Int16Array([16384])') as Int16Array;
  expect((await readAudio(fromFrames([foreign], MONO))).samples[0]).toBe(0.5);
});

test.each<[string, unknown, RegExp]>([
  ['no options', undefined, /Option 'sampleRate' must be an integer from 1000 .*, not undefined/],
  ['no channels', { sampleRate: 16_000 }, /Option 'channels' must be an integer from 1 to 10, not undefined/],
  ['a rate of none', { sampleRate: 0, channels: 1 }, /not 0\./],
  ['a rate in kHz', { sampleRate: 44.1, channels: 1 }, /not 44\.1/],
  ['a text', { sampleRate: '16000', channels: 1 }, /not 16000/],
  ['too many channels', { sampleRate: 16_000, channels: 11 }, /from 1 to 10, not 11/],
])('%s is refused at once', (_, options, message) => {
  expect(() => fromFrames([], options as typeof MONO)).toThrow(message);
});

test.each<[string, unknown, RegExp]>([
  ['an array by itself', new Int16Array(2), /not an Int16Array\. Pass a single array in a list: \[samples\]/],
  ['a number', 1, /not a number/],
  ['nothing', undefined, /not undefined/],
  ['a promise', Promise.resolve([]), /not an object/],
])('%s is refused as a source', (_, source, message) => {
  expect(() => fromFrames(source as FramesSource, MONO)).toThrow(message);
});

describe('a source that can wait', () => {
  test('is asked for nothing while the gate is closed', async () => {
    const gate = createGate();
    let asked = 0;
    function* counted() {
      for (; asked < 10; ) {
        asked++;
        yield new Int16Array(100);
      }
    }
    const release = gate.hold();
    const frames: AudioBlock[] = [];
    const done = fromFrames(counted(), { ...MONO, gate }).forEach(block => void frames.push(block));
    await setImmediate();
    expect([asked, frames.length]).toEqual([0, 0]);
    release();
    await done;
    expect([asked, frames.length]).toEqual([10, 10]);
  });

  test.each<[string, (onEnd: () => void) => FramesSource]>([
    [
      'an async iterable',
      onEnd => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<never>(() => {}),
          return: async () => {
            onEnd();
            return { done: true, value: undefined };
          },
        }),
      }),
    ],
    ['a ReadableStream', onEnd => new ReadableStream<Frames>({ cancel: onEnd })],
    ['an Observable', onEnd => new Observable<Frames>(() => onEnd)],
  ])('%s is ended when nobody listens any more, though it says nothing', async (_, sourceOf) => {
    for (const isHeld of [false, true]) {
      const gate = createGate();
      if (isHeld) gate.hold();
      const ended = Promise.withResolvers<void>();
      const subscription = fromFrames(sourceOf(ended.resolve), { ...MONO, gate }).subscribe();
      await setImmediate();
      subscription.unsubscribe();
      await ended.promise;
    }
  });

  test('is ended when one of its values is refused, and its own error fails the stream', async () => {
    let isEnded = false;
    async function* wrong() {
      try {
        yield new Uint8Array(2) as unknown as Frames;
      } finally {
        isEnded = true;
      }
    }
    await errorOf(wrong());
    expect(isEnded).toBe(true);
    const broken = new Error('the device is gone');
    async function* failing() {
      yield new Int16Array(2);
      throw broken;
    }
    expect(await errorOf(failing())).toBe(broken);
  });
});

describe('operators that are given a value that is no block', () => {
  const operators = {
    resample: resample(),
    chunk: chunk(),
    level: level(() => {}),
    transcribe: transcribe({ url: 'http://127.0.0.1:9', token: TEST_TOKEN }),
    'transcribe of channels apart': transcribe({
      ...{ url: 'http://127.0.0.1:9', token: TEST_TOKEN, channelStreams: 'apart' },
    }),
  };
  const block = { startFrame: 0, sampleRate: 16_000, channels: 1, samples: new Float32Array(160) };
  const { startFrame: _, ...unplaced } = block;

  test.each(
    Object.entries(operators).flatMap(([name, operator]) =>
      (
        [
          [new Int16Array(160), 'an Int16Array'],
          [new Float32Array(160), 'a Float32Array'],
          [Buffer.alloc(320), 'a Buffer'],
          [{ ...block, samples: new Int16Array(160) }, 'a block whose samples are an Int16Array'],
          [unplaced, 'a block with startFrame undefined'],
          [{ ...block, sampleRate: undefined }, 'a block with sampleRate undefined'],
          [{ ...block, channels: 3 }, 'a block with 160 samples of 3 channels'],
          [undefined, 'undefined'],
        ] as const
      ).map(([value, found]) => ({ name, operator, value, found })),
    ),
  )('$name names fromFrames() for $found', async ({ name, operator, value, found }) => {
    const input = new Subject<AudioBlock>();
    const error = Promise.withResolvers<Error>();
    input.pipe(operator as typeof operators.chunk).subscribe({ error: error.resolve });
    input.next(value as unknown as AudioBlock);
    expect(await error.promise).toMatchObject({
      code: 'invalid-argument',
      message: `${name.split(' ')[0]}() takes blocks of audio, not ${found}. Make blocks of an Int16Array or a Float32Array with fromFrames().`,
    });
    expect(input.observed).toBe(false);
  });
});

test('types accept sources of audio only', () => {
  const typed = (..._: Parameters<typeof fromFrames>) => {};
  typed([new Int16Array(1), new Float32Array(1)], MONO);
  typed(new ReadableStream<Int16Array>(), { ...MONO, gate: createGate() });
  typed(new Subject<Float32Array>(), MONO);
  // @ts-expect-error bytes are no samples
  typed([new Uint8Array(1)], MONO);
  // @ts-expect-error doubles are too wide
  typed([new Float64Array(1)], MONO);
  // @ts-expect-error what the samples mean is not known
  typed([new Int16Array(1)], { sampleRate: 16_000 });
  // @ts-expect-error a single array is no source
  typed(new Int16Array(1), MONO);
});
