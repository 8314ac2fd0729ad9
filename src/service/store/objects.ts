import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import type { OwnDirectory } from './ownDirectory.ts';

/** Named contents of any size besides the rows, such as media and transcripts. */
export interface Objects {
  /** Local directory for files that will become objects. Its contents are removed when the process has gone. */
  readonly spoolDirectory: string;
  /** Writes an object atomically, replacing an existing one. */
  put(key: string, contents: string): Promise<void>;
  /**
   * Makes a file of the spool directory an object.
   *
   * @returns the path of a file with the contents, to be read only: the object itself, or the given file
   */
  adopt(key: string, path: string): Promise<string>;
  /** Resolves with undefined when the object does not exist. */
  get(key: string): Promise<string | undefined>;
  /**
   * Resolves with the path of a file with the contents of an object, to be read only: the object itself, or a copy in the
   * directory. Undefined when the object does not exist.
   */
  fileOf(key: string, directory: string): Promise<string | undefined>;
  /**
   * Resolves with some of the bytes of an object, `end` inclusive. Undefined when the object does not exist.
   *
   * Reading the stream throws errors of the server, too.
   */
  read(key: string, range: { readonly start: number; readonly end: number }): Promise<Readable | undefined>;
  /** Yields the distinct next parts of the keys that begin with the prefix and a slash. */
  names(prefix: string): AsyncIterable<string>;
  /** Deletes all objects whose keys begin with the prefix and a slash. */
  removeAll(prefix: string): Promise<void>;
}

export type ClosableObjects = ReturnType<typeof closableObjects>;

/**
 * Returns objects that refuse writes once closed, so that their directory can be removed: a request that outlives its
 * service would create it again.
 */
export function closableObjects(objects: Objects, spool: OwnDirectory) {
  const writes = new Set<Promise<unknown>>();
  let isClosed = false;
  const unlessClosed = async <T>(write: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new RxscribeError('store', 'Cannot write to the store: it is closed.');
    const written = write();
    writes.add(written);
    return written.finally(() => writes.delete(written));
  };
  return {
    ...objects,
    put: (key: string, contents: string) => unlessClosed(() => objects.put(key, contents)),
    adopt: (key: string, path: string) => unlessClosed(() => objects.adopt(key, path)),
    /** Refuses further writes; resolves when those in progress are done. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(writes);
      await spool.close();
    },
  };
}

/** Returns objects whose calls are recorded with their time, transfers included. */
export function measuredObjects(
  objects: Objects,
  { instruments, clock }: { readonly instruments: Instruments; readonly clock: Clock },
): Objects {
  const measured =
    <Values extends readonly unknown[], T>(call: (...values: Values) => Promise<T>) =>
    async (...values: Values): Promise<T> => {
      const startMs = clock.now();
      let outcome = 'error';
      try {
        const result = await call(...values);
        outcome = 'ok';
        return result;
      } finally {
        const seconds = (clock.now() - startMs) / 1000;
        instruments.record('storeDuration', seconds, { server: 'objects', outcome });
      }
    };
  return {
    ...objects,
    put: measured(objects.put),
    adopt: measured(objects.adopt),
    get: measured(objects.get),
    read: measured(objects.read),
    fileOf: measured(objects.fileOf),
    removeAll: measured(objects.removeAll),
  };
}
