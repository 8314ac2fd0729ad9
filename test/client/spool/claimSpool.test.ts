import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimSpool } from '../../../src/client/spool/claimSpool.ts';
import { thisProcess } from '../../../src/client/spool/writerProcess.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { leaveSpool } from '../../helpers/leaveSpool.ts';
import { countedLevels } from '../../helpers/repairRun.ts';

const newPath = async () => join(await temporaryDirectory(), 'talk.spool');
const lockOf = (path: string) => `${path}.lock`;

test('a spool has one claim at a time', async () => {
  const path = await newPath();
  {
    using claim = claimSpool(path);
    expect(() => claimSpool(path)).toThrow(
      expect.objectContaining({
        code: 'invalid-state',
        message: expect.stringContaining(`process ${process.pid}`),
      }),
    );
    claim.check();
  }
  expect(existsSync(lockOf(path))).toBe(false);
  claimSpool(path)[Symbol.dispose]();
});

test('the claim of a process that has ended is replaced', async () => {
  const path = await newPath();
  const child = spawn(process.execPath, ['--version']);
  await once(child, 'close');
  for (const dead of [
    { pid: child.pid, header: 0 },
    { ...thisProcess(), start: 'an earlier one', header: 0 },
  ]) {
    writeFileSync(lockOf(path), JSON.stringify(dead));
    using claim = claimSpool(path);
    claim.check();
  }
});

test('a claim that another process has replaced is invalid, and stays with that process', async () => {
  const path = await newPath();
  const claim = claimSpool(path);
  const theirs = JSON.stringify({ ...thisProcess(), header: 0, id: 'theirs' });
  writeFileSync(lockOf(path), theirs);
  expect(() => claim.check()).toThrow(expect.objectContaining({ code: 'invalid-state' }));
  claim[Symbol.dispose]();
  expect(readFileSync(lockOf(path), 'utf8')).toBe(theirs);
});

test('a claim that cannot be read is not replaced, and the error has its path', async () => {
  const path = await newPath();
  writeFileSync(lockOf(path), '');
  expect(() => claimSpool(path)).toThrow(`remove '${lockOf(path)}'`);
});

test('one of several processes that resume a spool at the same time succeeds', {
  timeout: 120_000,
}, async () => {
  const path = await leaveSpool({ levels: countedLevels(600) });
  const module = new URL('../../../src/client/spool/openSpool.ts', import.meta.url).href;
  // They begin at the same moment, and the one that has it lives on until all have tried.
  const program = `
    const { readSpool } = await import(${JSON.stringify(module)});
    console.log('ready');
    process.stdin.once('data', () => {
      try { readSpool(${JSON.stringify(path)}); console.log('taken'); }
      catch (error) { console.log(error.code); }
      process.stdin.once('data', () => process.exit());
    });`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', program]),
  );
  const said = (text: RegExp) => Promise.all(children.map(child => outputOf(child, text)));
  await said(/ready/);
  for (const child of children) child.stdin.write('go\n');
  const results = await said(/taken|invalid/);
  for (const child of children) child.stdin.write('end\n');
  expect(results.toSorted()).toEqual(['invalid-state', 'invalid-state', 'invalid-state', 'taken']);
});

async function outputOf(child: ReturnType<typeof spawn>, text: RegExp): Promise<string> {
  for (let output = ''; ; ) {
    const [data] = await once(child.stdout!, 'data');
    output += data;
    if (text.test(output)) return output.trim();
  }
}
