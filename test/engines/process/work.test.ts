import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { RxscribeError } from '../../../src/base/errors.ts';
import { NO_TIME } from '../../../src/engines/process/callTimes.ts';
import type { FromHost, HostEnd, ToHost, WorkHost } from '../../../src/engines/process/host.ts';
import { createRestartingWork } from '../../../src/engines/process/restartingWork.ts';
import { entryBeside, startWork, Work } from '../../../src/engines/process/work.ts';
import type { AdderMethods, AdderSetup } from './adder.ts';

const entry = entryBeside(import.meta, 'adder');

function adder(setup: AdderSetup = {}): Work<AdderMethods, string> {
  const work = startWork<AdderMethods, string>(entry, { task: 'add', setup });
  onTestFinished(() => work.kill());
  return work;
}

describe('work in a child process', () => {
  it('answers the calls of each channel in order', async () => {
    const work = adder({ start: 10 });
    const [one, other] = [work.openChannel(), work.openChannel()];
    const answers = [one.call('add', [1]), one.call('add', [2]), other.call('add', [5])];
    expect(await Promise.all(answers)).toEqual([11, 13, 15]);
    expect(work.channels).toBe(2);
  });

  it('takes samples', async () => {
    const channel = adder().openChannel();
    expect(await channel.call('lengthOf', [new Int16Array(100).subarray(40)])).toBe(60);
  });

  it('emits events before the answer of their call', async () => {
    const channel = adder().openChannel();
    const events: string[] = [];
    channel.listen(event => events.push(event));
    await channel.call('emit', ['one']);
    expect(events).toEqual(['one']);
  });

  it('goes on after a call that failed', async () => {
    const channel = adder().openChannel();
    const failing = channel.call('fail', ['timeout', 'too late.']);
    await expect(failing).rejects.toMatchObject({ code: 'engine-failed', message: 'Cannot add: too late.' });
    const missing = channel.call('fail', ['engine-missing', 'Cannot load it. Install it.']);
    await expect(missing).rejects.toMatchObject({
      code: 'engine-missing',
      message: 'Cannot load it. Install it.',
    });
    expect(await channel.call('add', [1])).toBe(1);
  });

  it('fails with the reason when it cannot be loaded', async () => {
    const work = adder({ failure: 'Cannot load it.' });
    const error = { code: 'engine-missing', message: 'Cannot load it.' };
    const calling = expect(work.openChannel().call('add', [1])).rejects.toMatchObject(error);
    await expect(work.ready).rejects.toMatchObject(error);
    await calling;
    expect(work.isOver).toBe(true);
  });

  it('fails pending and later calls when it ends', async () => {
    const work = adder();
    const channel = work.openChannel();
    await work.ready;
    const message = 'Cannot add: its process ended (exit 7).';
    const exiting = expect(channel.call('exit', [])).rejects.toMatchObject({ message });
    const adding = expect(channel.call('add', [1])).rejects.toMatchObject({ code: 'engine-failed' });
    await Promise.all([exiting, adding]);
    expect(await channel.ended).toBe(await work.ended);
    await expect(work.openChannel().call('add', [1])).rejects.toBe(await work.ended);
  });

  it('does not wait for a call longer than its signal', async () => {
    const channel = adder().openChannel();
    const controller = new AbortController();
    const waiting = channel.call('wait', [], { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(channel.call('add', [1], { signal: controller.signal })).rejects.toThrow('enough');
    expect(await channel.call('add', [1])).toBe(1);
  });

  it('drops the calls of a channel that is closed, and disposes of it', async () => {
    const work = adder();
    const [closed, other] = [work.openChannel(), work.openChannel()];
    await closed.call('add', [1]);
    const waiting = expect(closed.call('wait', [])).rejects.toMatchObject({ code: 'aborted' });
    closed.close();
    closed.close();
    await waiting;
    expect(await other.call('add', [2])).toBe(2);
    expect(work.channels).toBe(1);
  });

  it('is killed while it loads, with the error of the caller', async () => {
    const work = adder({ isEndless: true });
    const calling = work.openChannel().call('add', [1]);
    const error = new RxscribeError('unavailable', 'Cannot add: the engine is closed.');
    await Promise.all([expect(calling).rejects.toBe(error), work.kill(error), work.kill()]);
    await expect(work.ready).rejects.toBe(error);
  });

  it('is killed when it does not load in time', async () => {
    let onTimeout = () => {};
    const clock: Clock = {
      ...systemClock,
      schedule(delayMs, callback) {
        expect(delayMs).toBe(3000);
        onTimeout = callback;
        return () => {};
      },
    };
    const options = { task: 'add', setup: { isEndless: true }, readyTimeoutMs: 3000, clock };
    const work = startWork<AdderMethods>(entry, options);
    const failing = expect(work.ready).rejects.toThrow('Cannot add: it was not ready after 3 s.');
    onTimeout();
    await failing;
  });
});

it('measures the time of a child process by channel', async () => {
  const work = adder();
  const [computing, other] = [work.openChannel(), work.openChannel()];
  await Promise.all([other.call('add', [1]), computing.call('compute', [200]), other.call('add', [1])]);
  expect(computing.time().processorMs).toBeGreaterThanOrEqual(200);
  expect(computing.time().elapsedMs).toBeGreaterThanOrEqual(200);
  expect(other.time().processorMs).toBeLessThan(100);
  await computing.call('compute', [100]);
  expect(computing.time().processorMs).toBeGreaterThanOrEqual(300);
});

describe('restarting work', () => {
  it('adds up the time of its hosts', async () => {
    const work = createRestartingWork<AdderMethods>(() => startWork(entry, { task: 'add', setup: {} }));
    onTestFinished(() => work.close());
    await work.call('compute', [100]);
    await expect(work.call('exit', [])).rejects.toMatchObject({ code: 'engine-failed' });
    expect(work.time().processorMs).toBeGreaterThanOrEqual(100);
    await work.call('compute', [100]);
    expect(work.time().processorMs).toBeGreaterThanOrEqual(200);
  });

  it('starts again with the call after its end', async () => {
    let ends = 0;
    const work = createRestartingWork<AdderMethods>(
      () => startWork(entry, { task: 'add', setup: { start: 1 } satisfies AdderSetup }),
      { onEnd: () => ends++ },
    );
    onTestFinished(() => work.close());
    expect(await work.call('add', [1])).toBe(2);
    await expect(work.call('exit', [])).rejects.toMatchObject({ code: 'engine-failed' });
    expect(ends).toBe(1);
    expect(await work.call('add', [2])).toBe(3);
    await work.close();
    await expect(work.call('add', [1])).rejects.toMatchObject({ code: 'engine-failed' });
  });
});

describe('a call', () => {
  it('leaves nothing behind when it is answered, however many there are', async () => {
    const host = scriptedHost();
    const channel = new Work<AdderMethods>(host, { task: 'add' }).openChannel();
    for (let round = 0; round < 100; round++) {
      const adding = channel.call('add', [round]);
      await setImmediate();
      host.answer();
      expect(await adding).toBe(round);
    }
    expect(host.reactions).toBe(1);
    expect(host.isHeld).toBe(true);
    host.say({ type: 'ready' });
    expect(host.isHeld).toBe(false);
  });
});

/** A host that answers its last call when the test wants it, and counts the reactions to its end. */
function scriptedHost() {
  const { promise } = Promise.withResolvers<HostEnd>();
  let listener: (message: FromHost) => void = () => {};
  let call: Extract<ToHost, { type: 'call' }> | undefined;
  const host = {
    reactions: 0,
    isHeld: false,
    ended: {
      // biome-ignore lint/suspicious/noThenProperty: a promise that counts.
      then(...handlers: Parameters<typeof promise.then>) {
        host.reactions += 1;
        return promise.then(...handlers);
      },
    } as Promise<HostEnd>,
    send(message: ToHost) {
      if (message.type === 'call') call = message;
    },
    listen(next: typeof listener) {
      listener = next;
    },
    hold(held: boolean) {
      host.isHeld = held;
    },
    kill: async () => {},
    say: (message: FromHost) => listener(message),
    answer: () => host.say({ type: 'answer', id: call!.id, answer: call!.args[0], time: NO_TIME }),
  };
  return host satisfies WorkHost;
}
