/**
 * The process that holds a native model for several channels. An error ends the channel it occurs in; a crash of the
 * library ends this process with all of its channels, but never the service.
 */
import { type ChannelOpener, serveWork } from '../process/serveWork.ts';
import type { RecognizerResult } from '../recognizer.ts';
import { createOfflineWorker } from './recognition/offlineWorker.ts';
import { createOnlineWorker } from './recognition/onlineWorker.ts';
import { loadSherpaOnnx, type Sherpa } from './sherpaOnnx.ts';
import type { PunctuationMethods, SherpaTask } from './tasks.ts';
import { spellingConfig } from './tokens/wordPieces.ts';
import { createDiarizationWorker, createTrackingWorker } from './voices/diarizationWorker.ts';

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

serveWork<SherpaTask, object, RecognizerResult>(async task => createWorker(await loadSherpaOnnx(), task));
