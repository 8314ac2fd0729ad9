import type { Observable } from 'rxjs';
import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import { blockSource } from '../../../audio/source/blockSource.ts';
import { delay, systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError, RxscribeError } from '../../../base/errors.ts';
import type { Gate } from '../../../flow/gate.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { heldDuring, type StillClock } from '../../time/virtualClock.ts';
import { FrameReader } from './frameReader.ts';
import { type AnsweringServer, LockStep } from './lockStep.ts';
import { dueTimes, recordedBlocks } from './recordedBlocks.ts';

export interface PlaySourceOptions {
  /** Seconds of audio in a second: 1 is live, or `max` for as fast as it is taken. Default `max`. */
  readonly speed?: number | 'max';
  /** While it is closed nothing more is read. */
  readonly gate?: Gate;
  /** For the pace. A `VirtualClock` waits for this source. Default: the machine's. */
  readonly clock?: StillClock;
  /**
   * The service that the audio goes to, played by `playServer`: each block waits until what came before it is
   * answered and the answers are read. So the order of audio and messages is the same at every speed.
   */
  readonly server?: AnsweringServer;
}

/**
 * The audio of a cassette as a source, in the blocks in which it was recorded; what its source left out is left out again.
 *
 * At a speed, a block of a live recording comes when it came, counted from the first one, so that a source which stood
 * still does so again; of another one, when its last frame is due, as from a microphone. While nobody answers at the
 * server that is waited for, audio comes at real time, so that a client that has to find out does.
 *
 * Silence that a client sent while its source stood still is no audio of the cassette: such a recording is what it was only
 * at a speed.
 *
 * Errors: `audio-missing` for a cassette without audio, and what reading its audio gives.
 *
 * @throws InvalidArgumentError when the speed is not a positive number
 * @example
 * const server = await playServer(cassette);
 * playSource(cassette, { server }).pipe(transcribe({ url: server.url, token: server.token })).subscribe(console.log);
 */
export function playSource(cassette: Cassette, options: PlaySourceOptions = {}): Observable<AudioBlock> {
  const { speed = 'max', gate } = options;
  if (speed !== 'max' && !(speed > 0 && Number.isFinite(speed))) {
    throw new InvalidArgumentError(`play source: wanted a positive speed or 'max', found ${speed}`);
  }
  return blockSource(signal => blocks(cassette, options, signal), gate);
}

async function* blocks(
  cassette: Cassette,
  { speed = 'max', server, clock = systemClock }: PlaySourceOptions,
  signal: AbortSignal,
): AsyncGenerator<AudioBlock> {
  const { audio } = cassette;
  if (!audio) {
    throw new RxscribeError('audio-missing', 'play cassette: wanted audio, found a cassette without any');
  }
  const reader = new FrameReader(audio);
  const due = speed === 'max' ? undefined : dueTimes(cassette, speed);
  const beganMs = clock.now();
  // On a virtual clock that a server has joined, time waits for it already.
  const isAwaited = server && !(due && clock.join);
  const lockStep = isAwaited ? new LockStep(server, clock, signal) : undefined;
  try {
    for (const recorded of recordedBlocks(cassette)) {
      const block = await heldDuring(clock, () => reader.read(recorded.startFrame, recorded.frames));
      if (!block) return;
      const waitMs = due ? beganMs + due(recorded) - clock.now() : 0;
      if (waitMs > 0) await delay(waitMs, { clock, signal });
      await lockStep?.next(framesOf(block) / block.sampleRate);
      yield block;
    }
  } finally {
    await heldDuring(clock, () => reader.close());
  }
}
