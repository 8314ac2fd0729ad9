import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockModel } from '../../../src/engines/models/lockModel.ts';

/** Takes the lock as often as is wanted, prints how often somebody else had it too, and dies with the lock. */
const [, , directory, rounds] = process.argv;
const inside = join(directory!, 'inside');
let intrusions = 0;

function tryToLock(): Disposable | undefined {
  try {
    return lockModel(directory!, 'tiny');
  } catch {
    return undefined;
  }
}

for (let round = 0; round < Number(rounds); ) {
  using lock = tryToLock();
  if (!lock) continue;
  round += 1;
  try {
    await (await open(inside, 'wx')).close();
    await rm(inside);
  } catch {
    intrusions += 1;
  }
}
process.stdout.write(String(intrusions));
let last = tryToLock();
while (!last) last = tryToLock();
process.kill(process.pid, 'SIGKILL');
