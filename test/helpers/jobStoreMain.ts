import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createId } from '../../src/base/ids.ts';
import { openJobStore } from './jobStore.ts';
import { KILLED_JOBS, killedTask } from './killRounds.ts';

/**
 * A program that submits jobs to the store of its first argument and runs them, until it is killed. It prints the id of
 * each job that the store has taken, a line each.
 */
const place = JSON.parse(process.argv[2] ?? '{}');
const { jobs, accounts, store } = openJobStore(place, { ...KILLED_JOBS, tasks: { async: killedTask } });
await accounts.initialToken;
const { objects } = await store.opened;
for (;;) {
  const id = createId();
  const media = join(objects.spoolDirectory, id);
  await writeFile(media, `media of ${id}`);
  await jobs.submit({
    ...{ id, media, accountId: 'owner', type: 'async', reserveSeconds: 1, input: { id } },
    notification: { url: 'http://127.0.0.1:9/' },
  });
  process.stdout.write(`${id}\n`);
}
