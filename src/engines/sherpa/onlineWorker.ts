import type { ChannelWork, ChannelWorker } from './channelWork.ts';
import type { SherpaTask } from './messages.ts';
import { OnlineUtterances } from './onlineUtterances.ts';
import { createTokenReader } from './tokenReader.ts';

/** Recognises streams while they are spoken, by one model for all. */
export function createOnlineWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { config, timeScale, joinsByMark }: Extract<SherpaTask, { does: 'online' }>,
): ChannelWorker {
  const recognizer = new sherpa.OnlineRecognizer(config);
  const read = createTokenReader(config);
  return (answer): ChannelWork => {
    let utterances: OnlineUtterances | undefined;
    return {
      async handle(question) {
        switch (question.type) {
          case 'start':
            utterances = new OnlineUtterances(recognizer, {
              maxSegmentFrames: question.maxSegmentFrames,
              timeScale,
              read,
              joinsByMark,
              emit: result => answer({ type: 'result', result }),
            });
            return answer({ type: 'started' });
          case 'audio':
            utterances?.write(question.samples);
            answer({ type: 'taken', frames: question.samples.length });
            // Decoding blocks: the other streams have their turn now.
            return yieldTurn();
          case 'finish':
            utterances?.finish();
            return answer({ type: 'finished' });
        }
      },
    };
  };
}

function yieldTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
