import { spawn } from 'node:child_process';
import { appendFile, copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { suiteFolder } from '../suite/suiteFolder.ts';

const CONFIG = new URL('../../../samples/replay-vitest/vitest.config.ts', import.meta.url);
const MODULES = new URL('../../../node_modules', import.meta.url).pathname;

test('the configuration of the sample runs tests again when a cassette changes in watch mode', {
  tags: 'slow',
}, async () => {
  const directory = await suiteFolder({
    'package.json': '{ "type": "module" }',
    'recordings/talk.cassette.jsonl': '{"type":"cassette"}\n',
    'lines.test.js': `import { readFileSync } from 'node:fs';
      import { test } from 'vitest';
      test('lines', () => console.log('lines:', readFileSync('recordings/talk.cassette.jsonl', 'utf8').split('\\n').length));`,
  });
  await copyFile(CONFIG, join(directory, 'vitest.config.ts'));
  await symlink(MODULES, join(directory, 'node_modules'));
  const args = [join(MODULES, 'vitest/vitest.mjs'), '--watch', '--maxWorkers', '1'];
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.on('data', piece => (output += piece));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/lines: 2.*Waiting for file changes/s);
  await appendFile(join(directory, 'recordings/talk.cassette.jsonl'), '{"type":"end"}\n');
  await expect.poll(() => output, { timeout: 60_000 }).toContain('lines: 3');
});
