import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockModel } from '../../../src/engines/models/lockModel.ts';

/**
 * Takes the lock as often as is wanted and prints how often somebody else had it, too. Every other time it leaves the
 * lock as a process does that died.
 */
const [, , directory, rounds] = process.argv;
const inside = join(directory!, 'inside');
let intrusions = 0;
for (let round = 0; round < Number(rounds); ) {
  const lock = await lockModel(directory!, 'tiny').catch(() => undefined);
  if (!lock) continue;
  round += 1;
  try {
    await (await open(inside, 'wx')).close();
    await rm(inside);
  } catch {
    intrusions += 1;
  }
  if (round % 2 === 0) await die();
  else await lock[Symbol.asyncDispose]();
}
process.stdout.write(String(intrusions));

/** Makes our lock one of a process that there cannot be: numbers of processes end at 2 ** 22. */
async function die(): Promise<void> {
  const id = randomUUID();
  for (const name of await readdir(directory!)) {
    const path = join(directory!, name);
    const owner = JSON.parse((await readFile(path, 'utf8').catch(() => '')) || '{}');
    if (owner.pid !== process.pid || name.endsWith('.new')) continue;
    const dead = join(directory!, `dead-${id}`);
    await writeFile(dead, JSON.stringify({ ...owner, id, pid: 2 ** 22 + 1 }));
    await rename(dead, path);
  }
}
