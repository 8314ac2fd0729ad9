import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { DiarizeOptions, Diarizer, SpeakerTracker, SpeakerTurn } from '../diarizer.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { type SpeakerCalls, startSpeakerThread } from './speakerCalls.ts';
import { createSpeakerTracker } from './speakerTracker.ts';

/** Frames that are given to a thread at once: a second. */
const PIECE_FRAMES = VOICE_SAMPLE_RATE;

export interface DiarizerOptions {
  /** For tests: how a thread is started. */
  readonly startThread?: () => SpeakerCalls;
}

/**
 * Tells speakers apart by how their voices sound, with nothing but what it hears: no model has to be had. Each recording
 * has a thread of its own, and all streams share one. It takes some 19 MB for each hour of a recording.
 *
 * @example
 * await using diarizer = createDiarizer();
 * await diarizer.diarize([new Int16Array(16_000)]); // []
 */
export function createDiarizer({ startThread = startSpeakerThread }: DiarizerOptions = {}): Diarizer {
  const running = new Set<SpeakerCalls>();
  let trackers: SpeakerCalls | undefined;
  let closed: Promise<void> | undefined;

  function start(): SpeakerCalls {
    if (closed) throw unavailable();
    const calls = startThread();
    running.add(calls);
    return calls;
  }
  async function diarize(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    { speakersCount, signal }: DiarizeOptions = {},
  ): Promise<readonly SpeakerTurn[]> {
    signal?.throwIfAborted();
    const calls = start();
    try {
      const work = await withAbort(calls.open({ speakersCount, tracks: false }), signal);
      for await (const piece of piecesOf(audio)) await withAbort(work.write(piece), signal);
      return await withAbort(work.turns(), signal);
    } finally {
      running.delete(calls);
      await calls.close(unavailable());
    }
  }
  /** All streams are followed in one thread. */
  async function track({ speakersCount, signal }: DiarizeOptions = {}): Promise<SpeakerTracker> {
    signal?.throwIfAborted();
    // One that died has failed its streams; the next ones are none of its business.
    if (trackers?.isOver) running.delete(trackers);
    if (!trackers || trackers.isOver) trackers = start();
    const opening = trackers.open({ speakersCount, tracks: true });
    try {
      return createSpeakerTracker(await withAbort(opening, signal), signal);
    } catch (error) {
      opening.then(work => work.close()).catch(() => {});
      throw error;
    }
  }
  function close(): Promise<void> {
    closed ??= Promise.all([...running].map(calls => calls.close(unavailable()))).then(() => {});
    return closed;
  }
  return {
    name: 'gaussians',
    sampleRate: VOICE_SAMPLE_RATE,
    diarize,
    track,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Audio in pieces that are worth a message. A piece is good until the next is asked for. */
async function* piecesOf(
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
): AsyncGenerator<Int16Array> {
  const piece = new Int16Array(PIECE_FRAMES);
  let filled = 0;
  for await (const samples of audio) {
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + PIECE_FRAMES - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < PIECE_FRAMES) continue;
      yield piece;
      filled = 0;
    }
  }
  yield piece.subarray(0, filled);
}

function unavailable(): RxscribeError {
  return new RxscribeError('unavailable', 'tell speakers apart: the engine is closed');
}
