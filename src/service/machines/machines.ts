import type { Clock } from '../../base/clock.ts';
import type { SharedLimits } from '../rateLimits/rateLimits.ts';
import type { OpenStore } from '../store/store.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { databaseFigures } from '../telemetry/databaseFigures.ts';
import { countMembers, joinMembers, listMembers, type MemberOptions, ROLES } from './member.ts';
import { createSharedRates } from './sharedRates.ts';
import { createSharedStreamSlots, type SharedStreamSlotsOptions } from './sharedStreamSlots.ts';

export interface MachinesOptions extends Pick<MemberOptions, 'role' | 'version' | 'figures'> {
  readonly opened: Promise<OpenStore>;
  readonly clock: Clock;
  /** Called when background work failed, which is retried. */
  readonly onError: (error: unknown) => void;
  readonly instruments: Instruments;
}

/** Joins the processes that share a database server, once the store is open. */
export function joinMachines({ opened, ...options }: MachinesOptions) {
  const db = opened.then(store => store.db);
  const closing = new AbortController();
  const { signal } = closing;
  let joined: ReturnType<SharedStreamSlotsOptions['joined']>;
  const streamSlots = createSharedStreamSlots({ ...options, joined: () => joined });
  const member = db.then(async open => {
    const { id, close } = await joinMembers({ ...options, db: open, signal, streams: streamSlots.running });
    joined = { db: open, memberId: id };
    return close;
  });
  const readMembers = databaseFigures(options.clock, async () => countMembers(await db));
  const stopFigures = options.instruments.observe(['members'], async observe => {
    const counts = new Map((await readMembers()).map(({ role, count }) => [role, count]));
    for (const role of ROLES) observe('members', counts.get(role) ?? 0, { role });
  });
  // Rejections that nobody waits for must not end the process.
  for (const promise of [db, member]) promise.catch(() => {});
  return {
    limits: { rates: createSharedRates(db), streamSlots } satisfies SharedLimits,
    /** Returns the processes that are alive, and those that have gone lately. */
    processes: async () => listMembers(await db),
    async close(): Promise<void> {
      closing.abort();
      stopFigures();
      const close = await member.catch(() => undefined);
      joined = undefined;
      await close?.().catch(options.onError);
    },
  };
}
