import { RxscribeError } from '../../base/errors.ts';
import type { Objects } from './objects.ts';
import type { Spool } from './spool.ts';

export interface ClosableObjects extends Objects {
  /** From now on nothing is written; resolves when what is being written is there. */
  close(): Promise<void>;
}

/**
 * Objects whose directory can be removed when they are closed: a request that goes on when its service has stopped
 * would make it anew.
 */
export function closableObjects(objects: Objects, spool: Spool): ClosableObjects {
  const writes = new Set<Promise<void>>();
  let isClosed = false;
  const unlessClosed = async (write: () => Promise<void>): Promise<void> => {
    if (isClosed) throw new RxscribeError('store', 'write object: wanted an open store, found it closed');
    const written = write();
    writes.add(written);
    await written.finally(() => writes.delete(written));
  };
  return {
    ...objects,
    put: (key, contents) => unlessClosed(() => objects.put(key, contents)),
    adopt: (key, path) => unlessClosed(() => objects.adopt(key, path)),
    async close() {
      isClosed = true;
      await Promise.allSettled(writes);
      await spool.close();
    },
  };
}
