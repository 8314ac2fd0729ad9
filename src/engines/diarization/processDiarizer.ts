/** Diarizers whose work is done in child processes. */
import type { Diarizer, SpeakerTurn } from '../diarizer.ts';
import type { ProcessPool } from '../process/processPool.ts';
import { audioBlocks } from '../voice/audioBlocks.ts';
import { createSpeakerTracker } from './speakerTracker.ts';

/** Methods of a process for one recording. */
export interface RecordingMethods {
  start(speakersCount?: number): void;
  write(samples: Int16Array): void;
  /** Returns the turns of the whole recording, after its last write. */
  turns(): readonly SpeakerTurn[];
}

/** Methods of a process for one stream. */
export interface TrackingMethods {
  start(speakersCount?: number): void;
  write(samples: Int16Array): void;
  /** As in a `SpeakerTracker`. */
  speakerDuring(startFrame: number, endFrame: number): number;
}

export interface ProcessDiarizerOptions<Event, Setup> {
  readonly name: string;
  readonly sampleRate: number;
  /** Processes of recordings, one for each. */
  readonly recordings: ProcessPool<RecordingMethods, Event, Setup>;
  readonly recordingSetup: Setup;
  /** The process of all streams. */
  readonly streams: ProcessPool<TrackingMethods, Event, Setup>;
  readonly streamSetup: Setup;
}

/** Creates a diarizer from the processes of recordings and of streams. */
export function createProcessDiarizer<Event, Setup>(options: ProcessDiarizerOptions<Event, Setup>): Diarizer {
  const { name, sampleRate, recordings, recordingSetup, streams, streamSetup } = options;

  async function close(): Promise<void> {
    await Promise.all([recordings.close(), streams.close()]);
  }

  return {
    name,
    sampleRate,
    async diarize(audio, { speakersCount, signal } = {}) {
      const channel = await recordings.take(recordingSetup, { lasting: false, signal });
      try {
        await channel.call('start', [speakersCount], { signal });
        // A second in each message.
        for await (const block of audioBlocks(audio, sampleRate)) {
          await channel.call('write', [block], { signal });
        }
        return await channel.call('turns', [], { signal });
      } finally {
        await channel.release();
      }
    },
    async track({ speakersCount, signal } = {}) {
      const channel = await streams.take(streamSetup, { signal });
      const work = {
        write: (samples: Int16Array) => channel.call('write', [samples]),
        speakerDuring: (startFrame: number, endFrame: number) =>
          channel.call('speakerDuring', [startFrame, endFrame]),
        close: () => channel.release(),
      };
      try {
        await channel.call('start', [speakersCount], { signal });
        return createSpeakerTracker(work, signal);
      } catch (error) {
        await channel.release();
        throw error;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
