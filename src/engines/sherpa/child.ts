/**
 * The process that holds a native model for several channels. An error ends the channel it occurs in; a crash of the
 * library ends this process with all of its channels, but never the service.
 */
import { type ChannelOpener, serveWork } from '../process/serveWork.ts';
import type { RecognizerResult } from '../recognizer.ts';
import { loadSherpaOnnx, type Sherpa } from './loadSherpaOnnx.ts';
import { createOfflineWorker } from './recognition/offlineWorker.ts';
import { createOnlineWorker } from './recognition/onlineWorker.ts';
import type { SessionMethods, SherpaTask } from './tasks.ts';
import { spellingConfig } from './tokens/wordPieces.ts';

function createWorker(sherpa: Sherpa, task: SherpaTask): ChannelOpener<SessionMethods, RecognizerResult> {
  switch (task.does) {
    case 'online':
      return createOnlineWorker(sherpa, { ...task, config: spellingConfig(task) });
    case 'offline':
      return createOfflineWorker(sherpa, { ...task, config: spellingConfig(task) });
  }
}

serveWork<SherpaTask, SessionMethods, RecognizerResult>(async task =>
  createWorker(await loadSherpaOnnx(), task),
);
