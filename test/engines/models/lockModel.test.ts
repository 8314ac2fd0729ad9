import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { lockModel } from '../../../src/engines/models/lockModel.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const MAIN = new URL('lockMain.ts', import.meta.url).pathname;
const LOCKED = expect.objectContaining({
  code: 'download',
  message: 'Cannot lock the model: another process is downloading it.',
});

test('three processes never hold one lock at once, and it is free when they are killed', async () => {
  const directory = await temporaryDirectory();
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--conditions=source', MAIN, directory, '150'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const ended = Promise.all(children.map(child => once(child, 'exit')));
  const intrusions = await Promise.all(children.map(({ stdout }) => text(stdout)));
  expect(intrusions).toEqual(['0', '0', '0']);
  await ended;
  using _lock = lockModel(directory, 'tiny');
}, 300_000);

test('each model has a lock of its own, which can be taken again', async () => {
  const directory = await temporaryDirectory();
  using _other = lockModel(directory, 'small');
  {
    using _lock = lockModel(directory, 'tiny');
    expect(() => lockModel(directory, 'tiny')).toThrow(LOCKED);
  }
  using _again = lockModel(directory, 'tiny');
});

test('a file that is no lock is named', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, '.tiny.lock'), 'no database, however long it is'.repeat(50));
  await mkdir(join(directory, '.small.lock'));
  for (const name of ['tiny', 'small']) {
    const path = join(directory, `.${name}.lock`);
    const message = expect.stringMatching(/^Cannot lock the model by .*: .+\. Remove the file/);
    expect(() => lockModel(directory, name)).toThrow(expect.objectContaining({ code: 'download', message }));
    expect(() => lockModel(directory, name)).toThrow(path);
  }
});
