import type { FaultCarrier } from './faultKinds.ts';
import { checkFaults, type FaultSchedule, type PlannedPlayFault, type PlayFault } from './faultSchedule.ts';

/** Returns whether a fault makes the client reconnect. */
export function isBreak({ kind }: PlayFault): boolean {
  return ['cut', 'half-open', 'close', 'refuse', 'http-status'].includes(kind);
}

/** Returns a line for each fault whose moment never came, for which a run is not passed. */
export function unusedFaults({
  waitingFaults,
}: {
  readonly waitingFaults: readonly PlannedPlayFault[];
}): readonly string[] {
  return waitingFaults.map(({ kind }) => `the fault '${kind}' never took place`);
}

/** The pending faults of one connection. */
export class ConnectionFaults {
  #waiting: readonly PlannedPlayFault[];

  constructor(faults: readonly PlannedPlayFault[]) {
    this.#waiting = faults;
  }

  /** Removes and returns the fault that rejects the handshake. */
  rejection(): PlayFault | undefined {
    const rejection = this.#waiting.find(({ kind }) => kind === 'refuse' || kind === 'http-status');
    this.#waiting = this.#waiting.filter(fault => fault !== rejection);
    return rejection;
  }

  /** Returns the seconds of audio after which the next fault may happen; infinite when none waits for audio. */
  nextSeconds(afterSeconds: number): number {
    const all = this.#waiting.map(fault => fault.afterSeconds ?? 0).filter(seconds => seconds > afterSeconds);
    return Math.min(Number.POSITIVE_INFINITY, ...all);
  }

  /** The faults whose moment has not come. */
  get waiting(): readonly PlannedPlayFault[] {
    return this.#waiting;
  }

  /** Removes and returns the faults that are due. */
  due(seconds: number, messages: number): readonly PlayFault[] {
    if (this.#waiting.length === 0) return [];
    const isDue = (fault: PlannedPlayFault) =>
      (fault.afterSeconds ?? 0) <= seconds && (fault.afterMessages ?? 0) <= messages;
    const due = this.#waiting.filter(isDue);
    if (due.length > 0) this.#waiting = this.#waiting.filter(fault => !isDue(fault));
    return due;
  }
}

/** The pending faults of all connections. */
export class PendingFaults {
  readonly #connections: readonly ConnectionFaults[];

  /** @throws InvalidArgumentError for faults that cannot happen */
  constructor(schedule: FaultSchedule, carrier: FaultCarrier) {
    this.#connections = checkFaults(schedule, carrier).map(faults => new ConnectionFaults(faults));
  }

  /** The faults whose moment has not come. */
  get waiting(): readonly PlannedPlayFault[] {
    return this.#connections.flatMap(({ waiting }) => waiting);
  }

  /** Returns the faults of a connection. */
  of(index: number): ConnectionFaults {
    return this.#connections[index] ?? new ConnectionFaults([]);
  }
}
