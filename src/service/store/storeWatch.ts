import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { every } from '../../base/wait/every.ts';
import { ID_KEY } from './objectsIdentity.ts';
import type { OpenStore } from './store.ts';

/** A server or directory that a store uses. */
interface Part {
  readonly name: string;
  /** Milliseconds between two checks. */
  readonly intervalMs: number;
  /** Milliseconds without an answer after which a part counts as missing; for a server longer than a restart takes. */
  readonly missingMs: number;
  /** True when a check that fails is enough. Default false. */
  readonly failsAtOnce?: boolean;
  check(store: OpenStore): Promise<unknown>;
}

const DATABASE: Part = {
  name: 'database',
  intervalMs: 1000,
  missingMs: 5000,
  check: ({ db }) => sql`select 1`.execute(db),
};
const OBJECTS: Part = {
  name: 'objects',
  intervalMs: 5000,
  missingMs: 20_000,
  check: ({ objects }) => objects.get(ID_KEY),
};

const DIRECTORY: Part = {
  name: 'writable space in the data directory',
  intervalMs: 5000,
  missingMs: 60_000,
  failsAtOnce: true,
  check: ({ objects }) => requireSpace(objects.spoolDirectory),
};

/** Free bytes that a store needs: the log of the embedded database grows by 16 MiB at a time. */
const MIN_FREE_BYTES = 32 * 2 ** 20;
const PROBE = new Uint8Array(128 * 1024);

/** Checks that a file can be written, and that there is space for more. A quota of the user does not show in the free space. */
async function requireSpace(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free < MIN_FREE_BYTES) {
    const message = `Cannot write to the data directory: it needs ${MIN_FREE_BYTES} bytes of free space (found: ${free}).`;
    throw new RxscribeError('store', message);
  }
  const path = join(directory, `.probe.${createId()}`);
  await using probe = await open(path, 'wx', 0o600);
  // The file is gone when the process is killed, and its contents rarely reach the disk.
  await rm(path);
  await probe.writeFile(PROBE);
}

/**
 * Checks the parts of a store at intervals.
 *
 * @param options.onError called when a part fails whose failure counts at once
 */
export function watchStore(
  opened: Promise<OpenStore>,
  { clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void },
) {
  const answeredMs = new Map<Part, number>();
  const watch = (store: OpenStore, part: Part) => {
    answeredMs.set(part, clock.now());
    const check = async () => {
      await part.check(store);
      answeredMs.set(part, clock.now());
    };
    const onFailure = (error: unknown) => {
      if (!part.failsAtOnce || answeredMs.get(part) === Number.NEGATIVE_INFINITY) return;
      answeredMs.set(part, Number.NEGATIVE_INFINITY);
      onError(error);
    };
    return every(part.intervalMs, check, { clock, onError: onFailure });
  };
  const stopping = opened.then(
    store => {
      const servers = [DATABASE, ...(store.hasFileObjects ? [] : [OBJECTS])];
      return [DIRECTORY, ...(store.exclusive ? [] : servers)].map(part => watch(store, part));
    },
    () => [],
  );
  return {
    /** Returns the names of the parts that are missing. */
    missing: (): readonly string[] =>
      [...answeredMs].filter(([part, at]) => clock.now() - at > part.missingMs).map(([{ name }]) => name),
    async close(): Promise<void> {
      for (const stop of await stopping) await stop();
    },
  };
}
