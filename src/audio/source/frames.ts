import { isObservable, type Observable } from 'rxjs';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import { transduce } from '../../flow/transduce.ts';
import { CHANNELS_RANGE, requireIntegerIn } from '../format/contentType.ts';
import { type AudioBlock, isArrayOf, kindOf } from '../format/format.ts';
import { toFloats } from '../pcm/pcm.ts';
import { INPUT_RATE_RANGE } from '../resample/resampler.ts';
import { blockSource } from './blockSource.ts';

/** Interleaved samples: 16-bit integers, or floats from -1 to 1. */
export type Frames = Int16Array | Float32Array;

/** A sequence of arrays of samples. */
export type FramesSource =
  | Observable<Frames>
  | AsyncIterable<Frames>
  | Iterable<Frames>
  | ReadableStream<Frames>;

export interface FramesOptions {
  /** Hz, an integer from 1000 to 384000. */
  readonly sampleRate: number;
  /** Samples per frame, 1 to 10. */
  readonly channels: number;
  /** While closed, the gate pauses the source, as do the consumers of the pipeline. An Observable cannot be paused. */
  readonly gate?: Gate;
}

/**
 * Largest magnitude that is accepted as a float sample, 12 dB above full scale. Floats beyond it must be of another scale and
 * are an error; those between 1 and it are clipped.
 */
export const MAX_FLOAT_SAMPLE = 4;

/** Maximum number of frames in one block: a whole recording may be one array. */
const MAX_BLOCK_FRAMES = 16_384;

/**
 * Makes audio blocks of samples, for example from a browser, a decoder, or another recorder. Each array must hold whole frames,
 * any number of them, and all arrays must be of one type. Samples are copied, so the caller may reuse an array. Floats slightly
 * beyond -1 to 1 are clipped.
 *
 * The Observable fails with an InvalidArgumentError for any other value, an array that ends within a frame, a change of type,
 * and floats that are NaN or beyond {@link MAX_FLOAT_SAMPLE}; and with the error of the source. Unsubscribing ends the source.
 *
 * @throws InvalidArgumentError for options out of range, and for a source of another kind
 * @example
 * import { chunk, fromFrames, resample } from 'rxscribe';
 *
 * const oneSecond = new Int16Array(2 * 48_000);
 * fromFrames([oneSecond], { sampleRate: 48_000, channels: 2 })
 *   .pipe(resample(), chunk(100))
 *   .subscribe(block => console.log(block.startFrame));
 */
export function fromFrames(source: FramesSource, options: FramesOptions): Observable<AudioBlock> {
  checkOptions(options);
  checkSource(source);
  if (isObservable(source)) {
    return source.pipe(transduce(() => ({ next: createFramesReader(options), end: () => [] })));
  }
  return blockSource(signal => blocksOf(pulled(source, signal), options), options);
}

async function* blocksOf(frames: AsyncIterable<unknown>, options: FramesOptions): AsyncGenerator<AudioBlock> {
  const read = createFramesReader(options);
  for await (const array of frames) yield* read(array);
}

/** Yields the arrays of a pull source. Aborting the signal ends the source, even before the first array is requested. */
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
  // A ReadableStream cannot be cancelled during a pending iteration step; its reader can.
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
    if (type !== first)
      throw fault(`all arrays must be of the type of the first, ${first}, not ${kindOf(frames)}`, startFrame);
    const samples = frames as Frames;
    if (samples.length % channels !== 0) {
      throw fault(
        `an array of ${samples.length} samples does not hold whole frames of ${channels}`,
        startFrame,
      );
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
    const remedy = bytes ? ' Pass bytes of raw PCM to fromReadable(), with their format.' : '';
    throw fault(`expected an Int16Array or a Float32Array, not ${kindOf(frames)}`, startFrame, remedy);
  }
}

function clipped(
  samples: Float32Array,
  { startFrame, channels }: Pick<AudioBlock, 'startFrame' | 'channels'>,
): Float32Array {
  const copy = samples.slice();
  for (let at = 0; at < copy.length; at++) {
    const sample = copy[at]!;
    // The negation also catches NaN.
    if (!(sample >= -MAX_FLOAT_SAMPLE && sample <= MAX_FLOAT_SAMPLE)) {
      const remedy = Number.isFinite(sample) ? ' Divide floats in the 16-bit scale by 32768.' : '';
      const frame = startFrame + Math.floor(at / channels);
      throw fault(`floats must be from -1 to 1, not ${sample}`, frame, remedy);
    }
    if (sample > 1) copy[at] = 1;
    else if (sample < -1) copy[at] = -1;
  }
  return copy;
}

function fault(problem: string, frame: number, remedy = ''): InvalidArgumentError {
  return new InvalidArgumentError(`Cannot read the samples at frame ${frame}: ${problem}.${remedy}`);
}

function checkOptions(options: FramesOptions | undefined): void {
  const { sampleRate, channels } = options ?? {};
  requireIntegerIn("Option 'sampleRate'", sampleRate, INPUT_RATE_RANGE);
  requireIntegerIn("Option 'channels'", channels, CHANNELS_RANGE);
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
  const remedy = ArrayBuffer.isView(source) ? ' Pass a single array in a list: [samples].' : '';
  throw new InvalidArgumentError(
    `fromFrames() takes an Observable, an iterable or a ReadableStream of arrays, not ${kindOf(source)}.${remedy}`,
  );
}
