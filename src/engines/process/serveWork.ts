import { messageOf, RxscribeError } from '../../base/errors.ts';
import { createCallTimes } from './callTimes.ts';
import type { FromHost, ToHost, WorkFault } from './host.ts';

/** The methods of one channel; disposed when the channel is closed. */
export type ServedChannel<Methods> = Methods & Partial<Disposable>;

/** Opens a channel; `emit` sends an event of it. */
export type ChannelOpener<Methods, Event = never> = (
  emit: (event: Event) => void,
) => ServedChannel<Methods> | Promise<ServedChannel<Methods>>;

interface OpenChannel {
  readonly methods: Promise<ServedChannel<Record<string, (...args: readonly unknown[]) => unknown>>>;
  /** Resolves when the calls so far are done. */
  idle: Promise<void>;
  isClosed: boolean;
}

/**
 * Serves the calls of the process that started this process until that process is gone, or as soon after that as the
 * native call in progress returns. An error of a call rejects that call; an error of `load` ends the host.
 */
export function serveWork<Setup, Methods, Event = never>(
  load: (setup: Setup) => ChannelOpener<Methods, Event> | Promise<ChannelOpener<Methods, Event>>,
): void {
  const channels = new Map<number, OpenChannel>();
  const loaded = Promise.withResolvers<ChannelOpener<Methods, Event>>();
  const timed = createCallTimes();
  loaded.promise.then(() => post({ type: 'ready' }), fail);

  function channelOf(id: number): OpenChannel {
    const open = channels.get(id);
    if (open) return open;
    const emit = (event: Event) => post({ type: 'event', channel: id, event });
    const methods = loaded.promise.then(opener => opener(emit)) as OpenChannel['methods'];
    methods.catch(() => {});
    const channel: OpenChannel = { methods, idle: Promise.resolve(), isClosed: false };
    channels.set(id, channel);
    return channel;
  }

  function call({ id, channel: channelId, method, args }: Extract<ToHost, { type: 'call' }>): void {
    const channel = channelOf(channelId);
    channel.idle = channel.idle.then(async () => {
      if (channel.isClosed) return;
      const timing = timed();
      try {
        const methods = await channel.methods;
        const answer = await timing.run(() => methods[method]!(...args));
        post({ type: 'answer', id, answer, time: timing.end() });
      } catch (error) {
        post({ type: 'refused', id, time: timing.end(), ...faultOf(error) });
      }
    });
  }

  function close(id: number): void {
    const channel = channels.get(id);
    if (!channel) return;
    channels.delete(id);
    channel.isClosed = true;
    void channel.idle.then(async () => (await channel.methods)[Symbol.dispose]?.()).catch(() => {});
  }

  receive(message => {
    if (message.type === 'load') loaded.resolve(Promise.resolve(message.setup as Setup).then(load));
    else if (message.type === 'call') call(message);
    else close(message.channel);
  });
}

function receive(listener: (message: ToHost) => void): void {
  process.on('message', listener);
  process.on('disconnect', () => process.exit(0));
  // The service decides when work ends: a signal meant for all of its processes must not lose the last results.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}

function post(message: FromHost, onSent: () => void = () => {}): void {
  process.send?.(message, onSent);
}

function fail(error: unknown): void {
  post({ type: 'failed', ...faultOf(error) }, () => process.exit(1));
}

function faultOf(error: unknown): WorkFault {
  const isMissing = error instanceof RxscribeError && error.code === 'engine-missing';
  return { code: isMissing ? 'engine-missing' : 'engine-failed', message: messageOf(error) };
}
