import { workerData } from 'node:worker_threads';
import { openPglite } from './pglite.ts';

/** Worker: makes a new database in the directory of `workerData`. It takes seconds of one core without a pause. */
const pglite = await openPglite((workerData as { directory: string }).directory);
await pglite.close();
