/** The diarizer with models of sherpa-onnx. */
import { availableParallelism } from 'node:os';
import {
  createProcessDiarizer,
  type RecordingMethods,
  type TrackingMethods,
} from '../diarization/processDiarizer.ts';
import type { Diarizer } from '../diarizer.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { createSherpaPool } from './sherpaPool.ts';
import { SAMPLE_RATE } from './tasks.ts';

export interface SherpaDiarizerOptions {
  /** Number of cores for one recording. Default: all. */
  readonly threads?: number;
  /** Seconds of a recording that are diarized together; time and memory grow with their square. Default 20 min. */
  readonly blockSeconds?: number;
}

/**
 * Creates a diarizer with pyannote's segmentation and a voice model, run by sherpa-onnx in child processes:
 * one for each recording, one for all streams.
 *
 * @example
 * const diarizer = createSherpaDiarizer(await inspectModel('models/pyannote-segmentation-3'));
 */
export function createSherpaDiarizer(model: ModelDirectory, options: SherpaDiarizerOptions = {}): Diarizer {
  const { threads = availableParallelism(), blockSeconds = 20 * 60 } = options;
  const common = { numThreads: threads, provider: 'cpu', debug: 0 };
  const { segmentation, embedding } = model.files;
  return createProcessDiarizer({
    name: 'sherpa-onnx',
    sampleRate: SAMPLE_RATE,
    recordings: createSherpaPool<RecordingMethods>(model),
    recordingSetup: {
      does: 'diarize',
      segmentation: { pyannote: { model: segmentation }, ...common },
      embedding: { model: embedding, ...common },
      blockSeconds,
    },
    streams: createSherpaPool<TrackingMethods>(model, { maxProcesses: 1 }),
    streamSetup: { does: 'track', embedding: { model: embedding, ...common, numThreads: 1 } },
  });
}
