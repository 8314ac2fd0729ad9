import { workerData } from 'node:worker_threads';
import { openNewPglite } from './newPglite.ts';

/** Worker: makes a new database in the directory of `workerData`. It takes seconds of one core without a pause. */
const pglite = await openNewPglite((workerData as { directory: string }).directory);
await pglite.close();
