/**
 * The process that holds a native model for several channels. An error ends the channel it occurs in; a crash of the
 * library ends this process with all of its channels, but never the service.
 */
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { type ChannelOpener, serveWork } from '../process/serveWork.ts';
import type { RecognizerResult } from '../recognizer.ts';
import { createOfflineWorker } from './recognition/offlineWorker.ts';
import { createOnlineWorker } from './recognition/onlineWorker.ts';
import type { PunctuationMethods, SherpaTask } from './tasks.ts';
import { spellingConfig } from './tokens/wordPieces.ts';
import { createDiarizationWorker, createTrackingWorker } from './voices/diarizationWorker.ts';

type Sherpa = typeof import('sherpa-onnx-node');

function createWorker(sherpa: Sherpa, task: SherpaTask): ChannelOpener<object, RecognizerResult> {
  switch (task.does) {
    case 'online':
      return createOnlineWorker(sherpa, { ...task, config: spellingConfig(task) });
    case 'offline':
      return createOfflineWorker(sherpa, { ...task, config: spellingConfig(task) });
    case 'punctuate':
      return createPunctuationWorker(sherpa, task);
    case 'diarize':
      return createDiarizationWorker(sherpa, task);
    case 'track':
      return createTrackingWorker(sherpa, task);
  }
}

function createPunctuationWorker(
  sherpa: Sherpa,
  { online, config }: Extract<SherpaTask, { does: 'punctuate' }>,
): ChannelOpener<PunctuationMethods> {
  const model = online ? new sherpa.OnlinePunctuation(config) : new sherpa.OfflinePunctuation(config);
  return () => ({ punctuate: text => model.addPunct(text) });
}

/**
 * Loads the native package, which may crash its process.
 *
 * @throws RxscribeError `engine-missing`
 */
async function loadSherpaOnnx(): Promise<Sherpa> {
  try {
    // Node does not recognise all exports of this CommonJS package by name.
    const loaded: { default?: unknown } = await import('sherpa-onnx-node');
    return (loaded.default ?? loaded) as Sherpa;
  } catch (error) {
    const [reason] = messageOf(error).split('\n', 1);
    const message = `Cannot load sherpa-onnx: ${reason}. Run 'npm install sherpa-onnx-node', with optional packages.`;
    throw new RxscribeError('engine-missing', message, { cause: error });
  }
}

serveWork<SherpaTask, object, RecognizerResult>(async task => createWorker(await loadSherpaOnnx(), task));
