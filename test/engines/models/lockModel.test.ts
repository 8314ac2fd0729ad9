import { spawn } from 'node:child_process';
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
  const intrusions = await Promise.all(children.map(({ stdout }) => text(stdout)));
  expect(intrusions).toEqual(['0', '0', '0']);
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
