import { availableParallelism } from 'node:os';
import { createSpeakerTracker } from '../diarization/speakerTracker.ts';
import type { DiarizeOptions, Diarizer, SpeakerTracker, SpeakerTurn } from '../diarizer.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { audioBlocks } from '../voice/audioBlocks.ts';
import { type PooledChannel, SherpaPool } from './sherpaPool.ts';
import { type DiarizationMethods, SAMPLE_RATE, type VoiceMethods } from './tasks.ts';
import { createVoiceTracker } from './voices/voiceTracker.ts';

export interface SherpaDiarizerOptions {
  /** Number of cores for one recording. */
  readonly threads?: number;
  /** Seconds of a recording that are diarized together; time and memory grow with their square. */
  readonly blockSeconds?: number;
}

export const SHERPA_DIARIZER_DEFAULTS = {
  threads: availableParallelism(),
  blockSeconds: 20 * 60,
} as const;

/**
 * Creates a diarizer with pyannote's segmentation and a voice model, run by sherpa-onnx in child processes:
 * one for each recording, one for all streams.
 *
 * @example
 * const diarizer = createSherpaDiarizer(await inspectModel('models/pyannote-segmentation-3'));
 */
export function createSherpaDiarizer(model: ModelDirectory, options: SherpaDiarizerOptions = {}): Diarizer {
  const { threads, blockSeconds } = { ...SHERPA_DIARIZER_DEFAULTS, ...options };
  const unlimited = { model, maxChannels: Infinity };
  const recordings = new SherpaPool<DiarizationMethods>({
    ...unlimited,
    maxProcesses: Infinity,
    channelsPerProcess: 1,
  });
  const streams = new SherpaPool<VoiceMethods>({
    ...unlimited,
    maxProcesses: 1,
    channelsPerProcess: Infinity,
  });
  const common = { numThreads: threads, provider: 'cpu', debug: 0 };
  const { segmentation, embedding } = model.files;
  const diarizeTask = {
    does: 'diarize',
    segmentation: { pyannote: { model: segmentation }, ...common },
    embedding: { model: embedding, ...common },
    blockSeconds,
  } as const;
  const voiceTask = { does: 'embed', config: { model: embedding, ...common, numThreads: 1 } } as const;

  async function close(): Promise<void> {
    await Promise.all([recordings.close(), streams.close()]);
  }

  return {
    name: 'sherpa-onnx',
    sampleRate: SAMPLE_RATE,
    async diarize(audio, diarizeOptions = {}) {
      const channel = await recordings.take(diarizeTask, { lasting: false, signal: diarizeOptions.signal });
      try {
        return await diarizeOver(channel, audio, diarizeOptions);
      } finally {
        await channel.release();
      }
    },
    async track({ speakersCount, signal } = {}): Promise<SpeakerTracker> {
      const channel = await streams.take(voiceTask, { signal });
      return createSpeakerTracker(createVoiceTracker(channel, speakersCount), signal);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function diarizeOver(
  channel: PooledChannel<DiarizationMethods>,
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  { speakersCount, signal }: DiarizeOptions,
): Promise<readonly SpeakerTurn[]> {
  await channel.call('start', [speakersCount], { signal });
  for await (const block of audioBlocks(audio, SAMPLE_RATE)) await channel.call('write', [block], { signal });
  return channel.call('turns', [], { signal });
}
