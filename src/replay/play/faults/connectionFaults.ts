import type { PlannedPlayFault, PlayFault } from './faultSchedule.ts';

/** Those that end a connection, so that a client has to make another one. */
const BREAKS: ReadonlySet<PlayFault['kind']> = new Set([
  'cut',
  'half-open',
  'close',
  'refuse',
  'http-status',
]);

/** Whether a client has to make another connection. */
export function isBreak({ kind }: PlayFault): boolean {
  return BREAKS.has(kind);
}

/** The faults of one connection that are still to happen. */
export class ConnectionFaults {
  #waiting: readonly PlannedPlayFault[];

  constructor(faults: readonly PlannedPlayFault[]) {
    // A connection that is there was not turned away.
    this.#waiting = faults.filter(({ kind }) => kind !== 'refuse' && kind !== 'http-status');
  }

  /** Seconds of audio after which the next one may happen; infinite when none waits for audio. */
  nextSeconds(afterSeconds: number): number {
    const all = this.#waiting.map(fault => fault.afterSeconds ?? 0).filter(seconds => seconds > afterSeconds);
    return Math.min(Number.POSITIVE_INFINITY, ...all);
  }

  /** Takes out those whose moment has come. */
  due(seconds: number, messages: number): readonly PlayFault[] {
    if (this.#waiting.length === 0) return [];
    const isDue = (fault: PlannedPlayFault) =>
      (fault.afterSeconds ?? 0) <= seconds && (fault.afterMessages ?? 0) <= messages;
    const due = this.#waiting.filter(isDue);
    if (due.length > 0) this.#waiting = this.#waiting.filter(fault => !isDue(fault));
    return due;
  }
}
