import type { SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import { toFloats } from '../../audio/pcm/pcm.ts';
import type { ChannelWork, ChannelWorker } from './channelWork.ts';
import { type BlockModels, DiarizedRecording } from './diarizedRecording.ts';
import { SAME_VOICE } from './knownVoices.ts';
import type { SherpaTask } from './messages.ts';
import { SAMPLE_RATE } from './tokenWords.ts';
import { voiceDirection } from './voiceDirection.ts';

/** Tells who speaks when in recordings. */
export function createDiarizationWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { segmentation, embedding, blockSeconds }: Extract<SherpaTask, { does: 'diarize' }>,
): ChannelWorker {
  const clustering = { numClusters: -1, threshold: 1 - SAME_VOICE };
  const diarization = new sherpa.OfflineSpeakerDiarization({ segmentation, embedding, clustering });
  if (diarization.sampleRate !== SAMPLE_RATE) {
    throw new Error(`the model wants ${diarization.sampleRate} Hz, not ${SAMPLE_RATE}`);
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
  return (answer): ChannelWork => {
    let recording: DiarizedRecording | undefined;
    return {
      handle(question) {
        switch (question.type) {
          case 'diarize':
            recording = new DiarizedRecording(models, blockSeconds * SAMPLE_RATE, question.speakersCount);
            return;
          case 'hear':
            recording?.hear(question.samples);
            return answer({ type: 'heard' });
          case 'turns':
            return answer({ type: 'turns', turns: recording?.turns() ?? [] });
        }
      },
    };
  };
}
