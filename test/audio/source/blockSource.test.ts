import { setImmediate } from 'node:timers/promises';
import { lastValueFrom, take, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { blockSource, warnProcess } from '../../../src/audio/source/blockSource.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { rampBlock } from '../../helpers/rampBlocks.ts';

const BLOCKS = [0, 1, 2].map(i => rampBlock(i * 10, 10));

/** Lets everything that is ready to happen happen. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await setImmediate();
}

test('blocks come in order, then completion', async () => {
  const source = blockSource(async function* () {
    yield* BLOCKS;
  });
  expect(await lastValueFrom(source.pipe(toArray()))).toMatchObject(BLOCKS);
});

test('an error of the reader is the error of the source, also before the first block', async () => {
  const later = blockSource(async function* () {
    yield* BLOCKS;
    throw new Error('later');
  });
  await expect(lastValueFrom(later)).rejects.toThrow('later');
  const atOnce = blockSource(() => {
    throw new Error('at once');
  });
  await expect(lastValueFrom(atOnce)).rejects.toThrow('at once');
});

test('unsubscribing aborts the signal and runs the end of the reader, and nobody hears of it', async () => {
  const log: string[] = [];
  const source = blockSource(async function* (signal) {
    signal.addEventListener('abort', () => log.push('aborted'));
    try {
      yield* BLOCKS;
    } finally {
      log.push('ended');
    }
  });
  source.pipe(take(1)).subscribe({ next: block => log.push(`block ${block.startFrame}`) });
  await settle();
  expect(log).toEqual(['block 0', 'aborted', 'ended']);
});

test('a reader that fails by the abort is silent', async () => {
  const heard: unknown[] = [];
  const source = blockSource(async function* (signal) {
    yield BLOCKS[0]!;
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const subscription = source.subscribe({
    error: error => heard.push(error),
    complete: () => heard.push('end'),
  });
  await settle();
  subscription.unsubscribe();
  await settle();
  expect(heard).toEqual([]);
});

test('the gate is waited for before each block', async () => {
  const gate = createGate();
  let release = gate.hold();
  const log: string[] = [];
  const source = blockSource(
    async function* () {
      for (const block of BLOCKS) {
        log.push('read');
        yield block;
      }
    },
    { gate },
  );
  source.subscribe({
    next() {
      log.push('block');
      release = gate.hold();
    },
    complete: () => log.push('end'),
  });
  await settle();
  expect(log).toEqual([]);
  release();
  await settle();
  expect(log).toEqual(['read', 'block']);
  release();
  // Held again before our turn: the opening was for others.
  release = gate.hold();
  await settle();
  expect(log).toEqual(['read', 'block']);
  release();
  await settle();
  release();
  await settle();
  release();
  await settle();
  expect(log).toEqual(['read', 'block', 'read', 'block', 'read', 'block', 'end']);
});

test('unsubscribing at a closed gate ends the reader', async () => {
  const gate = createGate();
  let hasEnded = false;
  const source = blockSource(
    async function* () {
      try {
        yield* BLOCKS;
      } finally {
        hasEnded = true;
      }
    },
    { gate },
  );
  const subscription = source.subscribe(() => gate.hold());
  await settle();
  expect(hasEnded).toBe(false);
  subscription.unsubscribe();
  await settle();
  expect(hasEnded).toBe(true);
});

test('a warning that nobody wants is one of the process', async () => {
  const heard = new Promise<Error & { code?: string }>(resolve => process.once('warning', resolve));
  warnProcess({ code: 'audio-truncated', message: 'the end is missing' });
  expect(await heard).toMatchObject({
    name: 'AudioWarning',
    code: 'audio-truncated',
    message: 'the end is missing',
  });
});
