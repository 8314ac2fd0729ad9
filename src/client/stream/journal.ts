import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Spool, SpoolNote } from '../spool/spool.ts';

export interface JournalOptions {
  /** Default: nothing is written down. */
  readonly spool?: Spool;
  /** The file stays also when all is done. */
  readonly keep: boolean;
  /** Something cannot be written. */
  readonly onError: (error: unknown) => void;
}

/** What is written down of a stream, for whoever has to finish it. */
export class Journal {
  readonly #options: JournalOptions;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Partials are not: they are gone with the connection. */
  event(event: LiveEvent): void {
    if (event.type !== 'partial' && event.type !== 'connected') this.note({ type: 'event', event });
  }

  note(note: SpoolNote): void {
    const { spool, onError } = this.#options;
    try {
      spool?.note(note);
    } catch (error) {
      onError(error);
    }
  }

  /** All is done. Gives what went wrong with that. */
  finish(): { readonly error: unknown } | undefined {
    const { spool, keep } = this.#options;
    try {
      if (keep) spool?.close();
      else spool?.finish();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Leaves the file to whoever resumes. Idempotent; nothing after `finish`. */
  close(): void {
    this.#options.spool?.close();
  }
}
