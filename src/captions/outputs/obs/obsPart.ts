import type { Clock } from '../../../base/clock.ts';
import { reasonOf } from '../../../base/errors.ts';
import { type CaptionStep, isKept, type RetractStep } from '../../captionStep.ts';
import { initialDisplayState, nextDisplay } from '../../rows/captionDisplay.ts';
import { lastTs, type RollUpShape } from '../../rows/rollUp.ts';
import type { OutputReport } from '../captionOutput.ts';
import { LatestDelivery } from '../latestDelivery.ts';
import type { ObsSession } from './obsSession.ts';

/** One of the uses of a connection to OBS. */
export interface ObsPart {
  take(step: CaptionStep): void;
  /** Removes typed text. Returns whether it was never sent. Default: the part shows no text. */
  retract?(step: RetractStep): boolean;
  /** Called with each new connection. */
  connected(session: ObsSession): void;
  /** Called after each heartbeat. */
  alive?(session: ObsSession): void;
  /** Called when the connection has ended. */
  disconnected(): void;
  report(): OutputReport;
  close(): Promise<void>;
}

/** Failures of the uses of one connection. Each failure is noted once, and so is the recovery from all of them. */
export interface ObsNotes {
  /** Reason of a failure; absent while everything works. */
  readonly failure: string | undefined;
  note(text: string): void;
  /** Records a failure of a use, by its name. */
  fails(use: string, error: unknown): void;
  works(use: string): void;
}

export function obsNotes(onNote: (note: string) => void = () => {}): ObsNotes {
  const failures = new Map<string, string>();
  /** Reasons noted since everything last worked: failures in turns are not noted again and again. */
  const noted = new Set<string>();
  return {
    get failure() {
      return failures.values().next().value;
    },
    note: onNote,
    fails(use, error) {
      const reason = reasonOf(error);
      failures.set(use, reason);
      if (!noted.has(reason)) onNote(`Output obs fails: ${reason}.`);
      noted.add(reason);
    },
    works(use) {
      if (!failures.delete(use) || failures.size > 0) return;
      noted.clear();
      onNote('Output obs works again.');
    },
  };
}

export interface ObsDisplayOptions extends RollUpShape {
  /** Name of the use, for notes. */
  readonly use: string;
  readonly minIntervalMs: number | ((text: string) => number);
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly notes: ObsNotes;
}

/** A use that shows rows of captions as one text, each in place of the one before. */
export abstract class ObsDisplay implements ObsPart {
  readonly #options: ObsDisplayOptions;
  readonly #delivery: LatestDelivery<string>;
  #state = initialDisplayState;
  #text = '';
  /** Start of the speech of the last word that was sent, in seconds of the audio. */
  #sentTs: number | undefined;
  /** The session that shows the text now. */
  #session: ObsSession | undefined;

  constructor(options: ObsDisplayOptions) {
    const { clock, timeoutMs, minIntervalMs } = options;
    this.#options = options;
    this.#delivery = new LatestDelivery({
      name: 'obs',
      clock,
      // A request without an answer fails earlier, with a better reason.
      timeoutMs: timeoutMs + 1000,
      minIntervalMs,
      send: (text, signal) => this.#send(text, signal),
    });
  }

  abstract connected(session: ObsSession): void;

  /** Sends a text to a session. */
  protected abstract send(session: ObsSession, text: string, signal: AbortSignal): Promise<void>;

  /** Returns the text of rows. */
  protected textOf(rows: readonly string[]): string {
    return rows.join('\n');
  }

  take(step: CaptionStep): void {
    this.#state = nextDisplay(this.#state, step, this.#options);
    const text = this.textOf(this.#state.display.rows);
    const isNew = text !== this.#text;
    this.#text = text;
    if (!this.#session) return;
    if (step.type === 'off') this.#delivery.pushNow('');
    else if (isNew) this.#delivery.push(text);
  }

  retract(step: RetractStep): boolean {
    const isUnsent = isKept(this.#sentTs, step);
    if (isUnsent) this.take(step);
    return isUnsent;
  }

  /** Uses a session from now on, and sends it the text, even an empty one, which replaces the text of an earlier run. */
  protected show(session: ObsSession): void {
    this.#session = session;
    this.#delivery.pushNow(this.#text);
  }

  disconnected(): void {
    this.#session = undefined;
    this.#delivery.drop();
  }

  report() {
    return this.#delivery.report();
  }

  async close(): Promise<void> {
    this.#text = '';
    if (this.#session) this.#delivery.pushNow('');
    await this.#delivery.close();
  }

  async #send(text: string, signal: AbortSignal): Promise<void> {
    const session = this.#session;
    // The text is sent when there is a session again.
    if (!session) return;
    this.#sentTs = lastTs(this.#state.rollUp) ?? this.#sentTs;
    const { use, notes } = this.#options;
    try {
      await this.send(session, text, signal);
      notes.works(use);
    } catch (error) {
      if (session.ended.aborted) return;
      notes.fails(use, error);
      throw error;
    }
    // OBS may have shown the replaced text after its replacement.
    if (signal.aborted && text !== this.#text) this.#delivery.push(this.#text);
  }
}

/** Returns the code of an error of the client: a close code, a status of a request, or -1. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}
