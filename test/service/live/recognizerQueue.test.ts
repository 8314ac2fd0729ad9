import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createRecognizerQueue } from '../../../src/service/live/recognizerQueue.ts';
import { createWaitingLine } from '../../../src/service/live/waitingLine.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

const { signal } = new AbortController();
const logger = { warn() {} };

test('the longest waiter gets a session freed elsewhere', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ maxSessions: 1 });
  const queue = createRecognizerQueue({ recognizer, clock, logger });
  const elsewhere = await recognizer.open();
  const served: string[] = [];
  const wait = (name: string) =>
    queue.acquire({}, { accountId: 'a', waitMs: 60_000, signal }).then(session => {
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
  const queue = createRecognizerQueue({ recognizer, clock, logger });
  const elsewhere = await recognizer.open();
  const first = queue.acquire({}, { accountId: 'a', waitMs: 60_000, signal });
  await clock.advanceAsync(1);
  await elsewhere.close();
  const second = queue.acquire({}, { accountId: 'a', waitMs: 100, signal });
  await clock.advanceAsync(1000);
  expect(await second).toBeUndefined();
  expect(await first).toBeDefined();
});

test('an aborted wait ends at once, and leaves no timer', async () => {
  const clock = new VirtualClock();
  const queue = createRecognizerQueue({
    recognizer: createScriptedRecognizer({ maxSessions: 0 }),
    clock,
    logger,
  });
  const abort = new AbortController();
  const waiting = queue.acquire({}, { accountId: 'a', waitMs: 60_000, signal: abort.signal });
  await clock.advanceAsync(10);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(clock.pending).toBe(0);
});

test('errors of the recogniser are thrown at once', async () => {
  const recognizer = createScriptedRecognizer();
  const broken = { ...recognizer, open: async () => Promise.reject(new Error('no engine')) };
  const queue = createRecognizerQueue({ recognizer: broken, clock: new VirtualClock(), logger });
  await expect(queue.acquire({}, { accountId: 'a', waitMs: 60_000, signal })).rejects.toThrow('no engine');
});

test('a session that opens too late is closed', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { ...recognizer, open: () => promise.then(() => recognizer.open()) };
  const waiting = createRecognizerQueue({ recognizer: slow, clock, logger }).acquire(
    {},
    { accountId: 'a', waitMs: 1000, signal },
  );
  await clock.advanceAsync(1000);
  expect(await waiting).toBeUndefined();
  resolve();
  await clock.advanceAsync(1);
  expect(recognizer.opened.length).toBe(1);
  expect(recognizer.openSessions).toBe(0);
});

test('sessions wait for measured capacity, although the recogniser would open them', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ cost: 0.3 });
  const queue = createRecognizerQueue({ recognizer, clock, logger });
  const acquire = () => queue.acquire({}, { accountId: 'a', waitMs: 1000, signal });
  const open = await Promise.all([acquire(), acquire()]);
  expect(queue.capacity()).toMatchObject({ running: 2, waiting: 0, slots: 100, free: 0, costPerSecond: 0.3 });
  const third = acquire();
  await clock.advanceAsync(500);
  expect(queue.capacity()).toMatchObject({ running: 2, waiting: 1, free: 0 });
  await clock.advanceAsync(500);
  expect(await third).toBeUndefined();
  const fourth = acquire();
  await clock.advanceAsync(1);
  await open[0]?.close();
  expect(await fourth).toBeDefined();
  expect(recognizer.openSessions).toBe(2);
});

test('sessions that are opening count', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ cost: 0.3 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { ...recognizer, open: () => promise.then(() => recognizer.open()) };
  const queue = createRecognizerQueue({ recognizer: slow, clock, logger });
  const acquired = Array.from({ length: 5 }, () =>
    queue.acquire({}, { accountId: 'a', waitMs: 1000, signal }),
  );
  await clock.advanceAsync(1);
  expect(queue.capacity()).toMatchObject({ running: 2, waiting: 3 });
  resolve();
  await clock.advanceAsync(1000);
  expect((await Promise.all(acquired)).filter(Boolean)).toHaveLength(2);
});

test('a session that cannot be opened leaves its place', async () => {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ cost: 0.3, languages: ['fr'] });
  const queue = createRecognizerQueue({ recognizer, clock, logger });
  const options = { accountId: 'a', waitMs: 1000, signal };
  for (let attempt = 0; attempt < 5; attempt++) {
    await expect(queue.acquire({ language: 'en' }, options)).rejects.toThrow('no en');
  }
  expect(queue.capacity()).toMatchObject({ running: 0, free: 2 });
  expect(await queue.acquire({ language: 'fr' }, options)).toBeDefined();
});

/** Returns the order in which the items are served. */
type WaitingLine = ReturnType<typeof createWaitingLine<string>>;

function order(line: WaitingLine): readonly string[] {
  const served: string[] = [];
  for (let item = line.first; item !== undefined; item = line.first) {
    served.push(item);
    line.remove(item[0]!, item, { served: true });
  }
  return served;
}

function lineOf(...items: readonly string[]): WaitingLine {
  const line = createWaitingLine<string>();
  for (const item of items) line.add(item[0]!, item);
  return line;
}

test('accounts take turns, and each is served in order', () => {
  expect(order(lineOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an account that comes again has its turn after the others', () => {
  const line = lineOf('a1', 'b1', 'b2');
  line.remove('a', 'a1', { served: true });
  line.add('a', 'a2');
  expect(order(line)).toEqual(['b1', 'a2', 'b2']);
});

test('one that gives up does not cost its account a turn', () => {
  const line = lineOf('a1', 'a2', 'b1');
  line.remove('a', 'a1', { served: false });
  expect(order(line)).toEqual(['a2', 'b1']);
});

test('the size is that of all accounts', () => {
  const line = lineOf('a1', 'a2', 'b1');
  expect(line.size).toBe(3);
  line.remove('a', 'a2', { served: false });
  line.remove('a', 'a2', { served: false });
  expect(line.size).toBe(2);
  expect(order(line)).toEqual(['a1', 'b1']);
  expect(line.size).toBe(0);
  expect(line.first).toBeUndefined();
});
