import { RxscribeError } from '../../base/errors.ts';
import type { DiarizeOptions, Diarizer, SpeakerTracker, SpeakerTurn } from '../diarizer.ts';
import { entryBeside, startWork, type Work, type WorkChannel } from '../process/work.ts';
import { startWorkerThread } from '../process/workerThread.ts';
import { audioBlocks } from '../voice/audioBlocks.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { SpeakerMethods } from './speakerThread.ts';
import { createSpeakerTracker } from './speakerTracker.ts';

/** Frames of a message to a thread: a second. */
const PIECE_FRAMES = VOICE_SAMPLE_RATE;

export type SpeakerThread = Work<SpeakerMethods>;

export interface DiarizerOptions {
  /** Starts a thread; for tests. */
  readonly startThread?: () => SpeakerThread;
}

/**
 * Creates a diarizer that needs no model: it clusters the sound of voices by Gaussians. Each recording has
 * its own thread, and all streams share one. It takes some 19 MB for each hour of a recording.
 *
 * @example
 * await using diarizer = createDiarizer();
 * await diarizer.diarize([new Int16Array(16_000)]); // []
 */
export function createDiarizer({ startThread = startSpeakerThread }: DiarizerOptions = {}): Diarizer {
  const running = new Set<SpeakerThread>();
  let trackers: SpeakerThread | undefined;
  let closed: Promise<void> | undefined;

  function start(): SpeakerThread {
    if (closed !== undefined) throw unavailable();
    const thread = startThread();
    running.add(thread);
    return thread;
  }
  async function diarize(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    { speakersCount, signal }: DiarizeOptions = {},
  ): Promise<readonly SpeakerTurn[]> {
    signal?.throwIfAborted();
    const thread = start();
    try {
      const work = thread.openChannel();
      await work.call('open', [{ speakersCount, tracks: false }], { signal });
      for await (const piece of audioBlocks(audio, PIECE_FRAMES)) await write(work, piece, signal);
      return await work.call('turns', [], { signal });
    } finally {
      running.delete(thread);
      await thread.kill(unavailable());
    }
  }
  /** Tracks a stream in the thread that all streams share. */
  async function track({ speakersCount, signal }: DiarizeOptions = {}): Promise<SpeakerTracker> {
    signal?.throwIfAborted();
    // A thread that died has failed its streams; new streams get a new one.
    if (trackers?.isOver) running.delete(trackers);
    if (!trackers || trackers.isOver) trackers = start();
    const work = trackers.openChannel();
    const remote = {
      write: (samples: Int16Array) => write(work, samples),
      speakerDuring: (startFrame: number, endFrame: number) =>
        work.call('speakerDuring', [startFrame, endFrame]),
      close: async () => work.close(),
    };
    try {
      await work.call('open', [{ speakersCount, tracks: true }], { signal });
      return createSpeakerTracker(remote, signal);
    } catch (error) {
      work.close();
      throw error;
    }
  }
  function close(): Promise<void> {
    closed ??= Promise.all([...running].map(thread => thread.kill(unavailable()))).then(() => {});
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

export function startSpeakerThread(): SpeakerThread {
  const thread = startWorkerThread(entryBeside(import.meta, 'speakerThread'));
  return startWork(thread, { task: 'diarize' });
}

/** Writes a copy of the samples, whose buffer the thread takes over. */
function write(work: WorkChannel<SpeakerMethods>, samples: Int16Array, signal?: AbortSignal): Promise<void> {
  const copy = samples.slice();
  return work.call('write', [copy], { signal, transfer: [copy.buffer] });
}

function unavailable(): RxscribeError {
  return new RxscribeError('unavailable', 'Cannot diarize: the engine is closed.');
}
