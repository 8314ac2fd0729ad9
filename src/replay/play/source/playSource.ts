import type { Observable } from 'rxjs';
import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import { blockSource } from '../../../audio/source/blockSource.ts';
import { type Clock, delay, systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError, RxscribeError } from '../../../base/errors.ts';
import type { Gate } from '../../../flow/gate.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { type HoldableClock, withHold } from '../../time/virtualClock.ts';
import { FrameReader } from './frameReader.ts';
import { dueTimes, recordedBlocks } from './recordedBlocks.ts';

/**
 * Maximum seconds of audio to emit at once while the service has nothing to send: less than the audio that clients may
 * have unanswered.
 */
const MAX_AHEAD_SECONDS = 1;

/** Tolerance for rounding errors of sums. */
const TOLERANCE_SECONDS = 1e-6;

/** A service that reports when it has answered everything it was sent. */
export interface AnsweringServer {
  /**
   * Resolves when everything that clients have sent has been read and answered, and the answers have been read. The value
   * is the number of seconds of audio that may still arrive before the service has something to send; undefined when no
   * connection answers, because then nothing is known about what clients have sent.
   */
  settled(): Promise<number | undefined>;
  /** Resolves when a connection is open. Rejects with the signal's reason. */
  connected(signal: AbortSignal): Promise<void>;
}

/** Releases each block when a service has answered everything before it. */
export class LockStep {
  readonly #server: AnsweringServer;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** Seconds of audio that may go without waiting. */
  #aheadSeconds = 0;
  #lastSeconds = 0;

  constructor(server: AnsweringServer, clock: Clock, signal: AbortSignal) {
    this.#server = server;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Resolves when the next block, of the given length in seconds, may go. Rejects with the signal's reason. */
  async next(seconds: number): Promise<void> {
    // Nothing needs an answer before the first block.
    if (this.#lastSeconds > 0 && this.#aheadSeconds < TOLERANCE_SECONDS) {
      const quietSeconds = await this.#server.settled();
      if (quietSeconds === undefined) await this.#timeOrConnection();
      this.#aheadSeconds = Math.min(MAX_AHEAD_SECONDS, quietSeconds ?? 0);
    }
    this.#aheadSeconds -= seconds;
    this.#lastSeconds = seconds;
  }

  /** Waits, while no client is connected, for a connection or for the length of the last block. */
  async #timeOrConnection(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#signal, over.signal]);
    try {
      const lasted = delay(this.#lastSeconds * 1000, { clock: this.#clock, signal });
      await Promise.race([lasted, this.#server.connected(signal)]);
    } finally {
      over.abort();
    }
  }
}

export interface PlaySourceOptions {
  /** Speed in seconds of audio per second: 1 is live, `max` is as fast as the audio is accepted. Default `max`. */
  readonly speed?: number | 'max';
  /** Gate that pauses the source while it is closed. */
  readonly gate?: Gate;
  /** Clock of the pace. A `VirtualClock` waits for this source. Default: the system clock. */
  readonly clock?: HoldableClock;
  /**
   * Service that receives the audio, from `playServer`. Each block waits until everything before it has been answered
   * and the answers have been read, so that the order of audio and messages is the same at every speed.
   */
  readonly server?: AnsweringServer;
}

/**
 * Emits the audio of a cassette in its recorded blocks, with the recorded gaps.
 *
 * With a speed, a block of a live recording is emitted at its recorded time, counted from the first block, so that
 * pauses of the source recur; a block of any other recording is emitted when its last frame is due, as by a microphone.
 * While no client is connected to `server`, audio is emitted in real time, so that a client that has to notice this
 * does.
 *
 * Errors: `audio-missing` for a cassette without audio, and errors of reading the audio.
 *
 * @throws InvalidArgumentError when the speed is not a positive number
 * @example
 * const server = await playServer(cassette);
 * playSource(cassette, { server }).pipe(transcribe({ url: server.url, token: server.token })).subscribe(console.log);
 */
export function playSource(cassette: Cassette, options: PlaySourceOptions = {}): Observable<AudioBlock> {
  const { speed = 'max', gate } = options;
  if (speed !== 'max' && !(speed > 0 && Number.isFinite(speed))) {
    throw new InvalidArgumentError(`Option 'speed' must be 'max' or a number above 0, not ${speed}.`);
  }
  return blockSource(signal => blocks(cassette, options, signal), { gate, isLive: speed !== 'max' });
}

async function* blocks(
  cassette: Cassette,
  { speed = 'max', server, clock = systemClock }: PlaySourceOptions,
  signal: AbortSignal,
): AsyncGenerator<AudioBlock> {
  const { audio } = cassette;
  if (!audio) {
    throw new RxscribeError('audio-missing', 'The cassette has no audio to play.');
  }
  const reader = new FrameReader(audio);
  const due = speed === 'max' ? undefined : dueTimes(cassette, speed);
  const beganMs = clock.now();
  // A virtual clock that the server has joined already waits for it.
  const isAwaited = server && !(due && clock.join);
  const lockStep = isAwaited ? new LockStep(server, clock, signal) : undefined;
  try {
    for (const recorded of recordedBlocks(cassette)) {
      const block = await withHold(clock, () => reader.read(recorded.startFrame, recorded.frames));
      if (!block) return;
      const waitMs = due ? beganMs + due(recorded) - clock.now() : 0;
      if (waitMs > 0) await delay(waitMs, { clock, signal });
      await lockStep?.next(framesOf(block) / block.sampleRate);
      yield block;
    }
  } finally {
    await withHold(clock, () => reader.close());
  }
}
