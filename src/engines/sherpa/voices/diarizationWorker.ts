import type { SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import { toFloats } from '../../../audio/pcm/pcm.ts';
import type { ChannelOpener } from '../../process/serveWork.ts';
import { type DiarizationMethods, SAMPLE_RATE, type SherpaTask } from '../tasks.ts';
import { type BlockModels, DiarizedRecording } from './diarizedRecording.ts';
import { SAME_VOICE } from './knownVoices.ts';
import { voiceDirection } from './voiceWorker.ts';

/** Diarizes recordings. */
export function createDiarizationWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { segmentation, embedding, blockSeconds }: Extract<SherpaTask, { does: 'diarize' }>,
): ChannelOpener<DiarizationMethods> {
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
  return () => {
    let recording: DiarizedRecording | undefined;
    return {
      start(speakersCount) {
        recording = new DiarizedRecording(models, blockSeconds * SAMPLE_RATE, speakersCount);
      },
      write: samples => recording?.write(samples),
      turns: () => recording?.turns() ?? [],
    };
  };
}
