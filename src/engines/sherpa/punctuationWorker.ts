import type { ChannelWorker } from './channelWork.ts';
import type { SherpaTask } from './messages.ts';

/** Puts marks and capitals into text. */
export function createPunctuationWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { online, config }: Extract<SherpaTask, { does: 'punctuate' }>,
): ChannelWorker {
  const model = online ? new sherpa.OnlinePunctuation(config) : new sherpa.OfflinePunctuation(config);
  return answer => ({
    handle(question) {
      if (question.type === 'punctuate') answer({ type: 'text', text: model.addPunct(question.text) });
    },
  });
}
