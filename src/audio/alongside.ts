import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import { refuseIf } from '../base/errors.ts';
import { type AudioBlock, originOf, requireBlock } from './format/format.ts';

/** Seconds of the second device that are kept waiting, so that an uneven delivery never empties them. */
const TARGET_SECONDS = 0.2;
/** Seconds of the first device that may wait; beyond them, the second device counts as lost. */
const MAX_WAIT_SECONDS = 3;
/** Seconds of the second device that can wait; older audio is dropped, as after a loss of the first one. */
const MAX_KEPT_SECONDS = 4;
/** Share by which one block changes the measured seconds that wait: delivery is uneven, while clocks drift slowly. */
const ADAPTATION = 0.01;
/** Seconds in which a difference is corrected, and the largest change of speed. Clocks of devices differ by some 0.0001. */
const CORRECTION = { seconds: 20, most: 0.002 } as const;

/**
 * Adds the audio of a second device as a second channel, such as a call beside the microphone of a room. The clock of the first
 * device counts: the second one is resampled, by cubic interpolation, as its clock drifts. Its channel is 0.2 s behind, and
 * silent while it is lost. A gap of the first device is a gap of both.
 *
 * The stream completes with the first device. It fails with the error of either device, and with an InvalidArgumentError for
 * audio of more than one channel, or of two sample rates.
 *
 * @param second$ audio of the second device
 * @example
 * const call$ = microphone({ device: 'pulse:@DEFAULT_MONITOR@', silenceSeconds: Number.POSITIVE_INFINITY });
 * const live = transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret', channelStreams: 'apart' });
 * microphone()
 *   .pipe(chunk(), alongside(call$), live)
 *   .subscribe(event => console.log(event.channel, event.type));
 */
export function alongside(second$: Observable<AudioBlock>): MonoTypeOperatorFunction<AudioBlock> {
  return first$ =>
    new Observable(subscriber => {
      const pair = new DevicePair(block => subscriber.next(block));
      const error = (thrown: unknown) => subscriber.error(thrown);
      const complete = () => {
        pair.end();
        subscriber.complete();
      };
      subscriber.add(second$.pipe(tap(block => pair.second(block))).subscribe({ error }));
      subscriber.add(first$.pipe(tap(block => pair.first(block))).subscribe({ error, complete }));
    });
}

class DevicePair {
  readonly #emit: (block: AudioBlock) => void;
  #sampleRate: number | undefined;
  /** Blocks of the first device that wait for the second one. */
  #firsts: readonly AudioBlock[] = [];
  /** Samples of the second device that wait. */
  #seconds = new Float32Array(0);
  /** Position of the next output frame in the waiting samples. */
  #position = 0;
  /** True until enough samples wait, at the start and after a loss. */
  #isFilling = true;
  /** Smoothed seconds that wait after a block. */
  #waiting = TARGET_SECONDS;

  constructor(emit: (block: AudioBlock) => void) {
    this.#emit = emit;
  }

  first(block: AudioBlock): void {
    this.#check(block);
    this.#firsts = [...this.#firsts, block];
    this.#emitReady();
  }

  second(block: AudioBlock): void {
    this.#check(block);
    const { samples, sampleRate } = block;
    const kept = this.#seconds.subarray(Math.max(0, Math.floor(this.#position) - 1));
    this.#position -= this.#seconds.length - kept.length;
    this.#seconds = new Float32Array(kept.length + samples.length);
    this.#seconds.set(kept);
    this.#seconds.set(samples, kept.length);
    const target = TARGET_SECONDS * sampleRate;
    const isFull = this.#frames > MAX_KEPT_SECONDS * sampleRate;
    if (isFull || (this.#isFilling && this.#frames >= target)) {
      this.#isFilling = false;
      this.#position = this.#seconds.length - target;
      this.#waiting = TARGET_SECONDS;
    }
    this.#emitReady();
  }

  /** Emits the blocks that wait. */
  end(): void {
    for (const block of this.#firsts) this.#emit(this.#paired(block));
  }

  /** Number of frames of the second device that wait. */
  get #frames(): number {
    return this.#seconds.length - this.#position;
  }

  #emitReady(): void {
    for (let [first] = this.#firsts; first; [first] = this.#firsts) {
      const waitingFrames = this.#firsts.reduce((sum, { samples }) => sum + samples.length, 0);
      if (waitingFrames > MAX_WAIT_SECONDS * first.sampleRate) this.#isFilling = true;
      const isThere = this.#frames > first.samples.length * (1 + CORRECTION.most) + 2;
      if (!this.#isFilling && !isThere) return;
      this.#firsts = this.#firsts.slice(1);
      this.#emit(this.#paired(first));
    }
  }

  #paired(first: AudioBlock): AudioBlock {
    const { samples: left, startFrame, sampleRate } = first;
    const samples = new Float32Array(left.length * 2);
    const late = this.#waiting - TARGET_SECONDS;
    const change = Math.max(-CORRECTION.most, Math.min(CORRECTION.most, late / CORRECTION.seconds));
    for (let frame = 0; frame < left.length; frame++) {
      samples[2 * frame] = left[frame]!;
      if (this.#isFilling) continue;
      samples[2 * frame + 1] = this.#at(this.#position);
      this.#position += 1 + change;
    }
    if (!this.#isFilling) this.#waiting += ADAPTATION * (this.#frames / sampleRate - this.#waiting);
    return { startFrame, sampleRate, channels: 2, samples, ...originOf(first) };
  }

  /** Returns the sample at a position, by the cubic of Catmull and Rom through its four neighbours. */
  #at(position: number): number {
    const samples = this.#seconds;
    const index = Math.floor(position);
    const t = position - index;
    const [a, b] = [samples[index - 1] ?? 0, samples[index] ?? 0];
    const [c, d] = [samples[index + 1] ?? 0, samples[index + 2] ?? 0];
    return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  }

  #check(block: AudioBlock): void {
    requireBlock('alongside', block);
    this.#sampleRate ??= block.sampleRate;
    const isAlike = block.channels === 1 && block.sampleRate === this.#sampleRate;
    refuseIf(!isAlike, 'alongside() takes audio of one channel, and of one sample rate.');
  }
}
