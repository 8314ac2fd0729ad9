/** The work of processes that separate speakers. */
import type { SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import { toFloats } from '../../../audio/pcm/pcm.ts';
import type { RecordingMethods, TrackingMethods } from '../../diarization/processDiarizer.ts';
import type { ChannelOpener } from '../../process/serveWork.ts';
import { SAMPLE_RATE, type SherpaTask } from '../tasks.ts';
import { type BlockModels, createDiarizedRecording } from './diarizedRecording.ts';
import { SAME_VOICE } from './knownVoices.ts';
import { createVoiceTracker } from './voiceTracker.ts';

/** Fewer frames do not identify a voice. */
const LEAST_FRAMES = 0.25 * SAMPLE_RATE;

/** Diarizes recordings. */
export function createDiarizationWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { segmentation, embedding, blockSeconds }: Extract<SherpaTask, { does: 'diarize' }>,
): ChannelOpener<RecordingMethods> {
  const clustering = { numClusters: -1, threshold: 1 - SAME_VOICE };
  const diarization = new sherpa.OfflineSpeakerDiarization({ segmentation, embedding, clustering });
  if (diarization.sampleRate !== SAMPLE_RATE) {
    throw new Error(`its segmentation model takes ${diarization.sampleRate} Hz, not ${SAMPLE_RATE} Hz`);
  }
  let extractor: SpeakerEmbeddingExtractor | undefined;
  const models: BlockModels = {
    turnsIn(samples, speakersCount) {
      diarization.setConfig({ clustering: { ...clustering, numClusters: speakersCount || -1 } });
      return diarization.process(toFloats(samples)).map(({ start, end, speaker }) => ({
        speaker,
        startFrame: Math.round(start * SAMPLE_RATE),
        endFrame: Math.min(samples.length, Math.round(end * SAMPLE_RATE)),
      }));
    },
    directionIn(samples) {
      extractor ??= new sherpa.SpeakerEmbeddingExtractor(embedding);
      return voiceDirection(extractor, samples);
    },
  };
  return () => createDiarizedRecording(models, blockSeconds * SAMPLE_RATE);
}

/** Tracks the speakers of streams. */
export function createTrackingWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { embedding }: Extract<SherpaTask, { does: 'track' }>,
): ChannelOpener<TrackingMethods> {
  const extractor = new sherpa.SpeakerEmbeddingExtractor(embedding);
  return () => createVoiceTracker(samples => voiceDirection(extractor, samples));
}

/** Returns the voice in some samples as a direction, undefined when they are too short. */
function voiceDirection(extractor: SpeakerEmbeddingExtractor, samples: Int16Array): Float32Array | undefined {
  if (samples.length < LEAST_FRAMES) return undefined;
  const stream = extractor.createStream();
  stream.acceptWaveform({ samples: toFloats(samples), sampleRate: SAMPLE_RATE });
  stream.inputFinished();
  // False: a copy, since the library frees its own memory.
  return extractor.isReady(stream) ? extractor.compute(stream, false) : undefined;
}
