import { reasonOf } from '../../../base/errors.ts';
import type { CaptionStep } from '../../captionStep.ts';
import type { OutputReport } from '../captionOutput.ts';
import type { ObsSession } from './obsSession.ts';

/** One of the uses of a connection to OBS. */
export interface ObsPart {
  take(step: CaptionStep): void;
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

/** Returns the code of an error of the client: a close code, a status of a request, or -1. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}
