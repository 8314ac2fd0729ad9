import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needsRecognizer } from '../../helpers/needs.ts';

const ENGINE = new URL('../../../src/engines/pocketsphinx/recognizer.ts', import.meta.url).href;

/** Closes the engine while it is warm but nobody has heard of it yet, as when something else kept the thread. */
const PROGRAM = `
  const { createPocketSphinxRecognizer } = await import('${ENGINE}');
  const recognizer = createPocketSphinxRecognizer();
  recognizer.warm().catch(() => {});
  await new Promise(resolve => setTimeout(resolve, 100));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
  await recognizer.close();
  console.log('closed');
`;

test('closing is waited for, also while the engine is being warmed', async context => {
  await needsRecognizer(context);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  expect(stdout).toBe('closed\n');
});
