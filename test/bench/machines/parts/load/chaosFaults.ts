import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { type Clock, delay } from '../../../../../src/base/clock.ts';
import { seeded } from '../../../../../src/base/seeded.ts';

/** A failure of one part of an installation. */
export interface ChaosFault {
  readonly name: string;
  /** Weight of the fault among all faults of a random choice. */
  readonly weight: number;
  /** The failing part, which has at most one fault at a time. */
  readonly part: object;
  /** Longest time from the start to the end of the fault. */
  readonly maxSeconds: number;
  begin(): unknown;
  /** Repairs the part; also called when `begin` failed. */
  end(): unknown;
}

/** Actions that make a part of an installation fail, and repair it. */
export interface TargetActions {
  kill?(): unknown;
  stop?(): unknown;
  start?(): unknown;
  freeze?(): unknown;
  continue?(): unknown;
}

/** Failures of a target: the actions that begin and end each one. */
const FAILURES = [
  { begin: 'kill', end: 'start', weight: 4, maxSeconds: 5 },
  { begin: 'stop', end: 'start', weight: 2, maxSeconds: 1 },
  { begin: 'freeze', end: 'continue', weight: 3, maxSeconds: 30 },
] as const;

/** Returns the failures of a target that its actions allow. */
export function targetFaults(name: string, actions: TargetActions): readonly ChaosFault[] {
  return FAILURES.flatMap(({ begin, end, ...fault }) => {
    const [beginning, ending] = [actions[begin], actions[end]];
    if (!beginning || !ending) return [];
    return [{ name: `${begin} ${name}`, part: actions, begin: beginning, end: ending, ...fault }];
  });
}

/** A network between a process and a server, or clients and a service, which can fail. */
export interface Link extends AsyncDisposable {
  /** The port by which the process reaches the server. */
  readonly port: number;
  /** Stops delivery in both directions; connections stay open, and new ones are neither refused nor answered. */
  cut(): void;
  /** Resumes delivery, beginning with the data sent meanwhile, as TCP does. */
  heal(): void;
  /** Resets all open connections. */
  reset(): void;
}

/** Opens a network to a server. */
export async function openLink(target: NetConnectOpts): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (from: Socket, to: Socket) => {
    from.on('data', data => {
      if (!to.write(data)) from.pause();
    });
    to.on('drain', () => {
      if (!isCut) from.resume();
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
    if (isCut) from.pause();
  };
  const server = createServer({ allowHalfOpen: true }, near => {
    add(near);
    const far = add(connect({ ...target, allowHalfOpen: true } as NetConnectOpts));
    join(near, far);
    join(far, near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A fault with its start in seconds since the start of the plan, and its duration. */
export interface PlannedFault {
  readonly fault: ChaosFault;
  readonly atSeconds: number;
  readonly seconds: number;
}

/** Maximum number of simultaneous faults. */
const AT_ONCE = 2;
/** Longest time without a fault, in seconds. */
const MAX_QUIET_SECONDS = 10;

/** Returns faults for a period, ordered by start: up to two at once, never two of one part. Deterministic by seed. */
export function planFaults(
  faults: readonly ChaosFault[],
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): readonly PlannedFault[] {
  const random = seeded(seed);
  const plan: PlannedFault[] = [];
  const freeAt = new Map<object, number>();
  const lanes = new Array<number>(AT_ONCE).fill(0);
  for (;;) {
    const lane = lanes.indexOf(Math.min(...lanes));
    const atSeconds = lanes[lane]! + random() * Math.min(MAX_QUIET_SECONDS, seconds / 4);
    if (atSeconds >= seconds) return plan.sort((a, b) => a.atSeconds - b.atSeconds);
    lanes[lane] = atSeconds;
    const possible = faults.filter(({ part }) => (freeAt.get(part) ?? 0) <= atSeconds);
    let at = random() * possible.reduce((sum, { weight }) => sum + weight, 0);
    const fault = possible.find(({ weight }) => {
      at -= weight;
      return at < 0;
    });
    if (!fault) continue;
    const length = Math.min(random() * fault.maxSeconds, seconds - atSeconds);
    plan.push({ fault, atSeconds, seconds: length });
    lanes[lane] = atSeconds + length;
    freeAt.set(fault.part, atSeconds + length);
  }
}

export interface FaultRunOptions {
  readonly clock: Clock;
  /** Ends the current faults, and starts no more. */
  readonly signal?: AbortSignal;
  readonly onFault?: (name: string) => void;
}

/**
 * Makes parts fail as planned, and resolves when all are repaired, also after an abort.
 *
 * @throws the first error of a fault, after which no other fault starts
 */
export async function runFaults(
  plan: readonly PlannedFault[],
  { clock, signal, onFault }: FaultRunOptions,
): Promise<void> {
  const failed = new AbortController();
  const ending = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const startMs = clock.now();
  const wait = (delayMs: number) => delay(delayMs, { clock, signal: ending }).catch(() => {});
  const runOne = async ({ fault, atSeconds, seconds }: PlannedFault, earlier?: Promise<void>) => {
    await earlier;
    await wait(startMs + atSeconds * 1000 - clock.now());
    if (ending.aborted) return;
    onFault?.(fault.name);
    try {
      await fault.begin();
      await wait(seconds * 1000);
    } finally {
      await fault.end();
    }
  };
  const ends = new Map<object, Promise<void>>();
  for (const planned of plan) {
    const { part } = planned.fault;
    const ended = runOne(planned, ends.get(part)).catch(error => failed.abort(error));
    ends.set(part, ended);
  }
  await Promise.all(ends.values());
  failed.signal.throwIfAborted();
}
