import type { ChannelWorker } from './channelWork.ts';
import type { NativeConfig } from './messages.ts';
import { voiceDirection } from './voiceDirection.ts';

/** Hears voices. */
export function createVoiceWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  config: NativeConfig,
): ChannelWorker {
  const extractor = new sherpa.SpeakerEmbeddingExtractor(config);
  return answer => ({
    handle(question) {
      if (question.type !== 'embed') return;
      answer({ type: 'voice', direction: voiceDirection(extractor, question.samples) });
    },
  });
}
