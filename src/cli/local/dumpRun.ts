import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { writeDump } from '../../service/dump/writeDump.ts';
import { openQueue, queueNames } from '../../service/jobs/queue.ts';
import { openStore } from '../../service/store/store.ts';
import { serviceLanes } from '../../service/tasks/serviceTasks.ts';
import type { Context } from '../context.ts';
import { newDirectory } from '../files/newDirectory.ts';
import { interruptible } from '../interruptible.ts';

/** Writes the rows and the objects of a data directory that no service uses to a new directory. */
export async function runDump(context: Context, directory: string, dataDirectory: string): Promise<void> {
  const { clock } = context;
  await interruptible(context, async ({ progress, signal }) => {
    if (!existsSync(join(dataDirectory, 'db'))) {
      throw new RxscribeError(
        'store',
        `Directory '${dataDirectory}' has no embedded database. Dump one on a PostgreSQL server with pg_dump, and copy its objects.`,
      );
    }
    const onError = (error: unknown) => progress.note(`warning: ${reasonOf(error)}.`);
    const store = openStore({ dataDirectory, clock, onError });
    try {
      const opened = await store.opened;
      // Opened as by a start of the service: its tables are those of this release, and no entry runs.
      const queue = await openQueue({ ...opened, names: queueNames(serviceLanes(1)), clock, onError });
      await queue.close();
      await using target = await newDirectory(directory);
      progress.show('writing the database');
      await target.write('dump.sql', append => writeDump(opened, append, signal));
      progress.show('copying media and transcripts');
      await copyObjects(dirname(opened.objects.spoolDirectory), join(directory, 'objects'), signal);
      target.complete();
    } finally {
      await store.close();
    }
    progress.hide();
    progress.note(`Dumped to '${directory}'.`);
  });
}

/** Copies the objects with the permissions of their files, without hidden files, which belong to one place. */
async function copyObjects(from: string, to: string, signal: AbortSignal): Promise<void> {
  const filter = (path: string) => {
    signal.throwIfAborted();
    return !basename(path).startsWith('.');
  };
  try {
    await cp(from, to, { recursive: true, filter });
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    if (signal.aborted) throw error;
    throw new RxscribeError('unreadable-input', `Cannot write '${to}': ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}
