import { reasonOf } from '../../../base/errors.ts';

/** The failures of an output that has several uses of one connection. Each is noted once, and the end of all of them. */
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
