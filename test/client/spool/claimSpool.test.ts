import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimSpool } from '../../../src/client/spool/claimSpool.ts';
import { thisProcess } from '../../../src/client/spool/writerProcess.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { leaveSpool } from '../../helpers/leaveSpool.ts';
import { countedLevels } from '../../helpers/repairRun.ts';

test('a spool has one owner at a time', async () => {
  const path = await temporaryDirectory();
  const free = claimSpool(path);
  expect(() => claimSpool(path)).toThrow(
    expect.objectContaining({
      code: 'invalid-state',
      message: expect.stringContaining(`process ${process.pid}`),
    }),
  );
  free();
  const freeAgain = claimSpool(path);
  expect(readdirSync(path)).toEqual(['owner.2']);
  freeAgain();
  // A process that had found the first owner gone, and was slow.
  writeFileSync(join(path, 'owner.1'), '{"pid":1}');
  claimSpool(path);
  expect(readdirSync(path)).toEqual(['owner.3']);
});

test('an owner that has ended is replaced', async () => {
  const child = spawn(process.execPath, ['--version']);
  await once(child, 'close');
  for (const dead of [{ pid: child.pid }, { ...thisProcess(), start: 'an earlier one' }]) {
    const path = await temporaryDirectory();
    writeFileSync(join(path, 'owner.7'), JSON.stringify(dead));
    claimSpool(path)();
    expect(readdirSync(path)).toEqual(['owner.8.free']);
  }
});

test.each(['', '[]', 'null'])('an owner that cannot be read is not replaced: %j', async text => {
  const path = await temporaryDirectory();
  const file = join(path, 'owner.1');
  writeFileSync(file, text);
  expect(() => claimSpool(path)).toThrow(`remove '${file}'`);
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
