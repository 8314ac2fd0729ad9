/** The process that holds a native model for several channels. A crash of the library ends this process only. */
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { ChannelWork, ChannelWorker } from './channelWork.ts';
import type { FromSherpa, Question, SherpaTask, ToSherpa } from './messages.ts';
import { createOfflineWorker } from './offlineWorker.ts';
import { createOnlineWorker } from './onlineWorker.ts';
import { loadSherpaOnnx } from './sherpaOnnx.ts';

interface Channel {
  readonly work: ChannelWork;
  /** Questions of a channel are dealt with one after the other. */
  idle: Promise<void>;
  isDropped: boolean;
}

let worker: ChannelWorker | undefined;
const channels = new Map<number, Channel>();

function say(message: FromSherpa): void {
  process.send?.(message);
}

async function load(task: SherpaTask): Promise<void> {
  worker = createWorker(await loadSherpaOnnx(), task);
  say({ type: 'ready' });
}

function createWorker(sherpa: Awaited<ReturnType<typeof loadSherpaOnnx>>, task: SherpaTask): ChannelWorker {
  switch (task.does) {
    case 'online':
      return createOnlineWorker(sherpa, task.config);
    case 'offline':
      return createOfflineWorker(sherpa, task);
  }
}

function ask(id: number, question: Question): void {
  const channel = channels.get(id) ?? openChannel(id);
  channel.idle = channel.idle
    .then(() => (channel.isDropped ? undefined : channel.work.handle(question)))
    .catch(fail);
}

function openChannel(id: number): Channel {
  if (!worker) throw new Error('nothing is loaded');
  const work = worker(answer => say({ type: 'answer', channel: id, answer }));
  const channel = { work, idle: Promise.resolve(), isDropped: false };
  channels.set(id, channel);
  return channel;
}

function drop(id: number): void {
  const channel = channels.get(id);
  if (!channel) return;
  channels.delete(id);
  channel.isDropped = true;
  void channel.idle.then(() => channel.work.drop?.());
}

function fail(error: unknown): void {
  const code =
    error instanceof RxscribeError && error.code === 'engine-missing' ? error.code : 'engine-failed';
  const message = { type: 'failed', code, message: messageOf(error) } satisfies FromSherpa;
  process.send?.(message, () => process.exit(1));
}

process.on('message', (message: ToSherpa) => {
  try {
    if (message.type === 'load') load(message.task).catch(fail);
    else if (message.type === 'ask') ask(message.channel, message.question);
    else drop(message.channel);
  } catch (error) {
    fail(error);
  }
});
process.on('disconnect', () => process.exit(0));
// The service decides when a session ends: a signal meant for all its processes must not lose the last words.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
