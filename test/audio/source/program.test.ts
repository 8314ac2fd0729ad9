import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { findProgram, watchChild } from '../../../src/audio/source/program.ts';
import { hidePrograms, installScript } from '../../helpers/childProcesses.ts';

test('a program is found where the shell finds it', async () => {
  expect(findProgram('sh')).toMatch(/\/sh$/);
  expect(findProgram('no-such-program')).toBeUndefined();
  expect(findProgram('')).toBeUndefined();
  await using _ = await installScript('sh', 'exit 0');
  expect(findProgram('sh')).toMatch(/script-.*\/sh$/);
});

test('nothing is found on an empty path', async () => {
  await using _ = await hidePrograms();
  expect(findProgram('sh')).toBeUndefined();
});

test('the end of a child has its last lines, without colours and addresses', async () => {
  const script =
    'for i in 1 2 3 4 5 6; do echo "line $i" >&2; done; printf "\\033[31m[mp3 @ 0x55aa] bad\\033[0m\\n\\n" >&2; exit 3';
  expect(await watchChild(spawn('sh', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe'] }))).toEqual({
    code: 3,
    signal: null,
    stderrTail: 'line 4; line 5; line 6; [mp3] bad',
  });
});

test('a child that was killed and one that never was', async () => {
  const killed = spawn('sh', ['-c', 'kill -TERM $$']);
  killed.stdout.resume();
  expect(await watchChild(killed)).toMatchObject({ code: null, signal: 'SIGTERM' });
  expect(await watchChild(spawn('no-such-program'))).toMatchObject({ error: { code: 'ENOENT' } });
});
