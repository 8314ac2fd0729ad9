import { isObservable, type Observable } from 'rxjs';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import { transduce } from '../../flow/transduce.ts';
import { CHANNELS_RANGE } from '../format/contentType.ts';
import { type AudioBlock, isArrayOf, kindOf } from '../format/format.ts';
import { toFloats } from '../pcm/pcm.ts';
import { INPUT_RATE_RANGE } from '../resample/resampler.ts';
import { blockSource } from './blockSource.ts';

/** Samples, interleaved: 16-bit integers, or floats from -1 to 1. */
export type Frames = Int16Array | Float32Array;

/** Where frames come from, one after the other. */
export type FramesSource =
  | Observable<Frames>
  | AsyncIterable<Frames>
  | Iterable<Frames>
  | ReadableStream<Frames>;

export interface FramesOptions {
  /** Hz, an integer from 1000 to 384000. */
  readonly sampleRate: number;
  /** Samples a frame, 1 to 10. */
  readonly channels: number;
  /** While it is closed nothing more is taken from a source that can wait; an Observable cannot. */
  readonly gate?: Gate;
}

/** Floats beyond it (12 dB over full scale) are of another scale; those between are clipped. */
export const MAX_FLOAT_SAMPLE = 4;

/** Frames in one block at most: a recording may be one array. */
const MAX_BLOCK_FRAMES = 16_384;

/**
 * The audio of samples that are at hand: from a browser, a decoder, another recorder. Each array has whole frames, of any
 * number; all are of the same type. They are copied, so that an array may be used again. Floats a little beyond -1 to 1
 * are clipped.
 *
 * The result fails with InvalidArgumentError for any other value, for an array that ends within a frame, for floats that
 * are no number or beyond {@link MAX_FLOAT_SAMPLE}, and for a change of type; with what the source fails with. Unsubscribing
 * ends the source.
 *
 * @example
 * fromFrames(recorder.frames(), { sampleRate: 48_000, channels: 2 }).pipe(resample(), chunk(100));
 * @throws InvalidArgumentError for options that cannot be, and for a source that is none
 */
export function fromFrames(source: FramesSource, options: FramesOptions): Observable<AudioBlock> {
  checkOptions(options);
  checkSource(source);
  if (isObservable(source)) {
    return source.pipe(transduce(() => ({ next: createFramesReader(options), end: () => [] })));
  }
  return blockSource(signal => blocksOf(pulled(source, signal), options), options.gate);
}

async function* blocksOf(frames: AsyncIterable<unknown>, options: FramesOptions): AsyncGenerator<AudioBlock> {
  const read = createFramesReader(options);
  for await (const array of frames) yield* read(array);
}

/** Returns the arrays of a source that can wait; it is ended when the signal is aborted, also before anybody asks for one. */
function pulled(
  source: Exclude<FramesSource, Observable<Frames>>,
  signal: AbortSignal,
): AsyncIterable<unknown> {
  const iterator = iteratorOf(source);
  const end = () => void Promise.resolve(iterator.return?.()).catch(() => {});
  signal.addEventListener('abort', end, { once: true });
  return untilEnd();

  async function* untilEnd(): AsyncGenerator<unknown> {
    try {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }
}

type FramesIterator = Pick<AsyncIterator<unknown> | Iterator<unknown>, 'next' | 'return'>;

function iteratorOf(source: Exclude<FramesSource, Observable<Frames>>): FramesIterator {
  // A ReadableStream that is iterated cannot be cancelled while it is read; its reader can.
  if ('getReader' in source) {
    const reader = source.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown>>,
      return: async () => {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

function createFramesReader({
  sampleRate,
  channels,
}: FramesOptions): (frames: unknown) => Generator<AudioBlock> {
  let startFrame = 0;
  let first: 'Int16Array' | 'Float32Array' | undefined;
  return function* read(frames) {
    const type = typeOf(frames);
    first ??= type;
    if (type !== first) throw fault(`wanted ${first} throughout, found ${kindOf(frames)}`, startFrame);
    const samples = frames as Frames;
    if (samples.length % channels !== 0) {
      throw fault(`wanted whole frames of ${channels} samples, found ${samples.length} samples`, startFrame);
    }
    const most = MAX_BLOCK_FRAMES * channels;
    for (let at = 0; at < samples.length; at += most) {
      const part = samples.subarray(at, at + most);
      const floats = isArrayOf('Int16Array', part) ? toFloats(part) : clipped(part, { startFrame, channels });
      yield { startFrame, sampleRate, channels, samples: floats };
      startFrame += floats.length / channels;
    }
  };

  function typeOf(frames: unknown): typeof first {
    if (isArrayOf('Int16Array', frames)) return 'Int16Array';
    if (isArrayOf('Float32Array', frames)) return 'Float32Array';
    const bytes = ArrayBuffer.isView(frames) && frames instanceof Uint8Array;
    const remedy = bytes ? '; fromReadable() takes bytes of raw PCM, with their format' : '';
    throw fault(`wanted Int16Array or Float32Array, found ${kindOf(frames)}${remedy}`, startFrame);
  }
}

function clipped(
  samples: Float32Array,
  { startFrame, channels }: Pick<AudioBlock, 'startFrame' | 'channels'>,
): Float32Array {
  const copy = samples.slice();
  for (let at = 0; at < copy.length; at++) {
    const sample = copy[at]!;
    // Also of no number.
    if (!(sample >= -MAX_FLOAT_SAMPLE && sample <= MAX_FLOAT_SAMPLE)) {
      const scale = Number.isFinite(sample)
        ? '; floats in the scale of 16 bits are to be divided by 32768'
        : '';
      const frame = startFrame + Math.floor(at / channels);
      throw fault(`wanted floats from -1 to 1, found ${sample}${scale}`, frame);
    }
    if (sample > 1) copy[at] = 1;
    else if (sample < -1) copy[at] = -1;
  }
  return copy;
}

function fault(text: string, frame: number): InvalidArgumentError {
  return new InvalidArgumentError(`read frames: ${text} at frame ${frame}`);
}

function checkOptions(options: FramesOptions | undefined): void {
  const { sampleRate, channels } = options ?? {};
  for (const [name, value, { min, max }] of [
    ['sampleRate', sampleRate, INPUT_RATE_RANGE],
    ['channels', channels, CHANNELS_RANGE],
  ] as const) {
    if (Number.isInteger(value) && value! >= min && value! <= max) continue;
    throw new InvalidArgumentError(
      `fromFrames: wanted { sampleRate, channels }, ${name} an integer from ${min} to ${max}, found ${String(value)}`,
    );
  }
}

function checkSource(source: unknown): void {
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    !ArrayBuffer.isView(source) &&
    (isObservable(source) ||
      Symbol.asyncIterator in source ||
      Symbol.iterator in source ||
      'getReader' in source);
  if (isIterable) return;
  const one = ArrayBuffer.isView(source) ? '; a single one goes into a list: [samples]' : '';
  throw new InvalidArgumentError(
    `fromFrames: wanted an Observable, an iterable or a ReadableStream of arrays, found ${kindOf(source)}${one}`,
  );
}
