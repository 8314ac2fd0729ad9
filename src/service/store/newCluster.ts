import { workerData } from 'node:worker_threads';
import { openPglite } from './pglite.ts';

/** Worker that creates a database in the directory of `workerData`, which keeps a core busy for seconds. */
const pglite = await openPglite((workerData as { directory: string }).directory);
await pglite.close();
