/**
 * The process that holds a native model for several channels. An error ends the channel that had it. A crash of the
 * library ends this process with all of its channels, never the service: up to four sessions of an online model by
 * default, all of an offline one.
 */
import { faultOf, sayWork, serveWork } from '../process/serveWork.ts';
import type { WorkReady } from '../process/workProcess.ts';
import type { ChannelWork, ChannelWorker } from './channelWork.ts';
import { createDiarizationWorker } from './diarizationWorker.ts';
import type { FromSherpa, Question, SherpaTask, ToSherpa } from './messages.ts';
import { createOfflineWorker } from './offlineWorker.ts';
import { createOnlineWorker } from './onlineWorker.ts';
import { createPunctuationWorker } from './punctuationWorker.ts';
import { loadSherpaOnnx } from './sherpaOnnx.ts';
import { spellingConfig } from './spellingConfig.ts';
import { createVoiceWorker } from './voiceWorker.ts';

interface Channel {
  readonly work: ChannelWork;
  /** Questions of a channel are dealt with one after the other. */
  idle: Promise<void>;
  /** It was dropped, or failed. */
  isOver: boolean;
}

let worker: ChannelWorker | undefined;
const channels = new Map<number, Channel>();

async function load(task: SherpaTask): Promise<void> {
  worker = createWorker(await loadSherpaOnnx(), task);
  sayWork<WorkReady>({ type: 'ready' });
}

function createWorker(sherpa: Awaited<ReturnType<typeof loadSherpaOnnx>>, task: SherpaTask): ChannelWorker {
  switch (task.does) {
    case 'online':
      return createOnlineWorker(sherpa, { ...task, config: spellingConfig(task) });
    case 'offline':
      return createOfflineWorker(sherpa, { ...task, config: spellingConfig(task) });
    case 'punctuate':
      return createPunctuationWorker(sherpa, task);
    case 'diarize':
      return createDiarizationWorker(sherpa, task);
    case 'embed':
      return createVoiceWorker(sherpa, task.config);
  }
}

function ask(id: number, question: Question): void {
  const channel = channels.get(id) ?? openChannel(id);
  channel.idle = channel.idle
    .then(() => (channel.isOver ? undefined : channel.work.handle(question)))
    .catch(error => {
      channel.isOver = true;
      sayWork<FromSherpa>({ type: 'fault', channel: id, ...faultOf(error) });
    });
}

function openChannel(id: number): Channel {
  if (!worker) throw new Error('nothing is loaded');
  const work = worker(answer => sayWork<FromSherpa>({ type: 'answer', channel: id, answer }));
  const channel = { work, idle: Promise.resolve(), isOver: false };
  channels.set(id, channel);
  return channel;
}

function drop(id: number): void {
  const channel = channels.get(id);
  if (!channel) return;
  channels.delete(id);
  channel.isOver = true;
  void channel.idle.then(() => channel.work.drop?.());
}

serveWork<ToSherpa>(message => {
  if (message.type === 'load') return load(message.task);
  if (message.type === 'ask') ask(message.channel, message.question);
  else drop(message.channel);
  return undefined;
});
