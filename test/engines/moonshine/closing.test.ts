import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needsRecognizer } from '../../helpers/needs.ts';

const ENGINE = new URL('../../../src/engines/moonshine/recognizer.ts', import.meta.url).href;
const SAMPLE = new URL('../../../samples/not-ill-disposed.wav', import.meta.url).href;

const BEGINNING = `
  const { readFileSync } = await import('node:fs');
  const { createMoonshineRecognizer } = await import('${ENGINE}');
  const bytes = readFileSync(new URL('${SAMPLE}'));
  const audio = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length));
  const recognizer = createMoonshineRecognizer({ processes: 1 });
`;

/** Output of a program that ends by itself. */
async function outputOf(program: string): Promise<string> {
  const args = ['--input-type=module', '-e', BEGINNING + program];
  // One that goes on is ended here, and does not outlive the test.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 90_000 });
  return stdout;
}

test('a session that is never closed keeps no process alive', { tags: 'tools' }, async context => {
  await needsRecognizer(context);
  const program = `
    const session = await recognizer.open();
    session.results$.subscribe(({ type, words }) => type === 'final' && console.log(words.length));
    await session.write(audio);
    await session.write(new Int16Array(16000));
    await session.write(audio);
    console.log('written');
  `;
  expect(await outputOf(program)).toContain('written\n');
});

test('a pending final keeps the process alive until it comes', {
  tags: 'tools',
}, async context => {
  await needsRecognizer(context);
  const program = `
    const finals = recognizer.recognize([audio]);
    finals.then(([{ words }]) => console.log(words.length));
  `;
  expect(await outputOf(program)).toMatch(/^\d+\n$/);
});

test('closing can be awaited, also while the engine is warming up', { tags: 'tools' }, async context => {
  await needsRecognizer(context);
  // Closed while the model is loaded, but nobody has heard of it yet, as when something else kept the thread.
  const program = `
    recognizer.warm().catch(() => {});
    await new Promise(resolve => setTimeout(resolve, 100));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    await recognizer.close();
    console.log('closed');
  `;
  expect(await outputOf(program)).toBe('closed\n');
});
