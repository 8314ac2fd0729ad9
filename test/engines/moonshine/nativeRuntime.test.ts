import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findNativeLibrary } from '../../../src/engines/native/nativeLibrary.ts';
import { needsRecognizer } from '../../helpers/needs.ts';

test('200 decodings with garbage collected in between give the same results and leave nothing', {
  tags: 'tools',
  timeout: 240_000,
}, async context => {
  await needsRecognizer(context);
  if (!findNativeLibrary()) context.skip('there is no native library for this platform');
  const main = fileURLToPath(new URL('./collectsGarbage.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', main]);
  const { texts, grown } = JSON.parse(stdout);
  // One for each length of the audio.
  expect(texts).toBe(4);
  expect(grown).toBeLessThan(40);
});
