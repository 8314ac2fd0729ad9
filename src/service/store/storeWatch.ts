import { sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import { ID_KEY } from './objectsIdentity.ts';
import type { OpenStore } from './store.ts';

/** A server that a store uses. */
interface Part {
  readonly name: string;
  /** Milliseconds between two checks. */
  readonly intervalMs: number;
  /** Milliseconds without an answer after which a server counts as unreachable; longer than a restart takes. */
  readonly unreachableMs: number;
  check(store: OpenStore): Promise<unknown>;
}

const DATABASE: Part = {
  name: 'database',
  intervalMs: 1000,
  unreachableMs: 5000,
  check: ({ db }) => sql`select 1`.execute(db),
};
const OBJECTS: Part = {
  name: 'objects',
  intervalMs: 5000,
  unreachableMs: 20_000,
  check: ({ objects }) => objects.get(ID_KEY),
};

/** Queries the servers of a store at intervals. */
export function watchStore(opened: Promise<OpenStore>, clock: Clock) {
  const answeredMs = new Map<Part, number>();
  const watch = (store: OpenStore, part: Part) => {
    answeredMs.set(part, clock.now());
    const check = async () => {
      await part.check(store);
      answeredMs.set(part, clock.now());
    };
    return every(part.intervalMs, check, { clock, onError: () => {} });
  };
  const stopping = opened.then(
    store => {
      if (store.exclusive) return [];
      return [DATABASE, ...(store.hasFileObjects ? [] : [OBJECTS])].map(part => watch(store, part));
    },
    () => [],
  );
  return {
    /** Returns the names of the servers that are unreachable; none for an embedded database. */
    unreachable: (): readonly string[] =>
      [...answeredMs].filter(([part, at]) => clock.now() - at > part.unreachableMs).map(([{ name }]) => name),
    async close(): Promise<void> {
      for (const stop of await stopping) await stop();
    },
  };
}
