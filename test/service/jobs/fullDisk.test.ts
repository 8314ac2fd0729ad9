import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a job and a stream that end while the disk is full wait for space, and lose nothing', async () => {
  const program = new URL('../../helpers/fullDiskMain.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 100_000 });
  expect(JSON.parse(stdout)).toEqual({
    meanwhile: 'in_progress',
    // Reported once each, however often they are retried.
    errors: [expect.stringContaining('recording'), expect.stringContaining('stream')],
    tries: 1,
    results: [
      ['recording', 'done', true],
      ['stream', 'done', true],
    ],
  });
});
