/** The diarizer that needs no model. */
import { RxscribeError } from '../../base/errors.ts';
import type { Diarizer, SpeakerTracker } from '../diarizer.ts';
import { type PooledChannel, ProcessPool } from '../process/processPool.ts';
import { entryBeside, startWork } from '../process/work.ts';
import { audioBlocks } from '../voice/audioBlocks.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { RecordingMethods, SpeakerSetup, TrackingMethods } from './child.ts';

/**
 * Creates a diarizer that needs no model: it clusters the sound of voices by Gaussians. Each recording has
 * its own process, and all streams share one. It takes some 19 MB for each hour of a recording.
 *
 * @example
 * await using diarizer = createDiarizer();
 * await diarizer.diarize([new Int16Array(16_000)]); // []
 */
export function createDiarizer(): Diarizer {
  const recordings = createPool<RecordingMethods>();
  const streams = createPool<TrackingMethods>(1);

  async function close(): Promise<void> {
    await Promise.all([recordings.close(), streams.close()]);
  }

  return {
    name: 'gaussians',
    sampleRate: VOICE_SAMPLE_RATE,
    async diarize(audio, { speakersCount, signal } = {}) {
      const channel = await recordings.take({ tracks: false }, { lasting: false, signal });
      try {
        await channel.call('start', [speakersCount], { signal });
        // A second in each message.
        for await (const block of audioBlocks(audio, VOICE_SAMPLE_RATE)) {
          await channel.call('write', [block], { signal });
        }
        return await channel.call('turns', [], { signal });
      } finally {
        await channel.release();
      }
    },
    async track({ speakersCount, signal } = {}) {
      const channel = await streams.take({ tracks: true }, { signal });
      try {
        await channel.call('start', [speakersCount], { signal });
        return trackerOver(channel, signal);
      } catch (error) {
        await channel.release();
        throw error;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createPool<Methods>(maxProcesses?: number): ProcessPool<Methods, never, SpeakerSetup> {
  const start = (setup: SpeakerSetup) =>
    startWork<Methods>(entryBeside(import.meta, 'child'), { task: 'diarize', setup });
  return new ProcessPool({ task: 'diarize', start, maxProcesses });
}

/** Returns a tracker over a channel, which it releases when it is closed or the signal aborts. */
function trackerOver(
  channel: PooledChannel<TrackingMethods>,
  given: AbortSignal | undefined,
): SpeakerTracker {
  const closing = new AbortController();
  const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
  let closed: Promise<void> | undefined;
  const close = () => {
    closing.abort(new RxscribeError('aborted', 'Cannot track speakers: the tracker is closed.'));
    given?.removeEventListener('abort', close);
    // A process that has ended needs no release.
    closed ??= channel.release().catch(() => {});
    return closed;
  };
  given?.addEventListener('abort', close, { once: true });
  return {
    write: samples => channel.call('write', [samples], { signal }),
    speakerDuring: (startFrame, endFrame) =>
      channel.call('speakerDuring', [startFrame, endFrame], { signal }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
