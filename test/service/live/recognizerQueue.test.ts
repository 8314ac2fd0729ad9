import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createRecognizerQueue } from '../../../src/service/live/recognizerQueue.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

const { signal } = new AbortController();

test('the longest waiter gets a session freed elsewhere', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ maxSessions: 1 });
  const queue = createRecognizerQueue(recognizer, clock);
  const elsewhere = await recognizer.open();
  const served: string[] = [];
  const wait = (name: string) =>
    queue.acquire({}, { waitMs: 60_000, signal }).then(session => {
      served.push(name);
      return session;
    });
  const first = wait('first');
  await clock.advanceAsync(300);
  const second = wait('second');
  await clock.advanceAsync(300);
  await elsewhere.close();
  // The second retries at 800 ms, the first at 1000 ms.
  await clock.advanceAsync(399);
  expect(served).toEqual([]);
  await clock.advanceAsync(1);
  expect(served).toEqual(['first']);
  await (await first)?.close();
  await second;
  expect(served).toEqual(['first', 'second']);
});

test('a new request waits behind the others', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ maxSessions: 1 });
  const queue = createRecognizerQueue(recognizer, clock);
  const elsewhere = await recognizer.open();
  const first = queue.acquire({}, { waitMs: 60_000, signal });
  await clock.advanceAsync(1);
  await elsewhere.close();
  const second = queue.acquire({}, { waitMs: 100, signal });
  await clock.advanceAsync(1000);
  expect(await second).toBeUndefined();
  expect(await first).toBeDefined();
});

test('an aborted wait ends at once, and leaves no timer', async () => {
  const clock = new VirtualClock();
  const queue = createRecognizerQueue(createScriptedRecognizer({ maxSessions: 0 }), clock);
  const abort = new AbortController();
  const waiting = queue.acquire({}, { waitMs: 60_000, signal: abort.signal });
  await clock.advanceAsync(10);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(clock.pending).toBe(0);
});

test('errors of the recogniser are thrown at once', async () => {
  const recognizer = createScriptedRecognizer();
  const broken = { ...recognizer, open: async () => Promise.reject(new Error('no engine')) };
  const queue = createRecognizerQueue(broken, new VirtualClock());
  await expect(queue.acquire({}, { waitMs: 60_000, signal })).rejects.toThrow('no engine');
});

test('a session that opens too late is closed', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { ...recognizer, open: () => promise.then(() => recognizer.open()) };
  const waiting = createRecognizerQueue(slow, clock).acquire({}, { waitMs: 1000, signal });
  await clock.advanceAsync(1000);
  expect(await waiting).toBeUndefined();
  resolve();
  await clock.advanceAsync(1);
  expect(recognizer.opened.length).toBe(1);
  expect(recognizer.openSessions).toBe(0);
});
