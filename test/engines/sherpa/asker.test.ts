import { describe, expect, it } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { createAsker } from '../../../src/engines/sherpa/asker.ts';
import type { Answer } from '../../../src/engines/sherpa/messages.ts';

/** A channel that answers when it is told to, and counts who waits for its end. */
function openChannel() {
  const { promise, resolve } = Promise.withResolvers<RxscribeError>();
  let listener: (answer: Answer) => void = () => {};
  let waiting = 0;
  const ended = {
    // biome-ignore lint/suspicious/noThenProperty: a promise that counts.
    then(...handlers: Parameters<typeof promise.then>) {
      waiting += 1;
      return promise.then(...handlers);
    },
  } as Promise<RxscribeError>;
  return {
    end: resolve,
    waiting: () => waiting,
    answer: (answer: Answer) => listener(answer),
    channel: {
      ended,
      ask: () => {},
      listen: (next: typeof listener) => {
        listener = next;
      },
    },
  };
}

const question = { type: 'punctuate', text: 'how' } as const;
const failure = new RxscribeError('engine-failed', 'it died');

describe('questions over a channel', () => {
  it('keep nothing when they are answered, however many there are', async () => {
    const { channel, answer, waiting } = openChannel();
    const ask = createAsker(channel);
    for (let round = 0; round < 100; round++) {
      const asking = ask(question, { wanted: 'text' });
      answer({ type: 'heard' });
      answer({ type: 'text', text: `${round}` });
      expect(await asking).toEqual({ type: 'text', text: `${round}` });
    }
    expect(waiting()).toBe(1);
  });

  it('fail when the channel ends, and after that', async () => {
    const { channel, end } = openChannel();
    const ask = createAsker(channel);
    const asking = ask(question, { wanted: 'text' });
    end(failure);
    await expect(asking).rejects.toBe(failure);
    await expect(ask(question, { wanted: 'text' })).rejects.toBe(failure);
  });

  it('are given up with the reason of the signal', async () => {
    const ask = createAsker(openChannel().channel);
    const controller = new AbortController();
    const options = { wanted: 'text', signal: controller.signal } as const;
    const asking = ask(question, options);
    controller.abort(failure);
    await expect(asking).rejects.toBe(failure);
    await expect(ask(question, options)).rejects.toBe(failure);
  });
});
