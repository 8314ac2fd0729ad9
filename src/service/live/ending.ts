import { CLOSE, type CloseRule } from '../../protocol/closeCodes.ts';
import type { JobFailure } from '../../protocol/jobs.ts';

/** The end of a session: its close, and the outcome of its job. */
export interface Ending {
  /** Undefined when the client has gone. */
  readonly rule?: CloseRule;
  readonly why?: string;
  /** True to recognise the audio received so far and send its last final. */
  readonly flush: boolean;
  /** The failure of the session's job, if it failed. */
  readonly failure?: { readonly failure: JobFailure; readonly failureDetail: string };
}

export const ENDINGS = {
  endOfInput: { rule: CLOSE.endOfInput, flush: true },
  idle: { rule: CLOSE.idle, flush: true },
  outOfCredit: { rule: CLOSE.outOfCredit, flush: true },
  sessionLimit: { rule: CLOSE.shuttingDown, why: 'longest session', flush: true },
  shuttingDown: { rule: CLOSE.shuttingDown, flush: true },
  /** At a pause: a flush would make a final of the beginning of the next word. */
  shuttingDownAtPause: { rule: CLOSE.shuttingDown, flush: false },
  protocolError: { rule: CLOSE.protocolError, flush: false },
  unexpectedText: { rule: CLOSE.unexpectedText, flush: false },
  noInstance: { rule: CLOSE.noInstance, flush: false },
  revoked: { rule: CLOSE.unauthorized, flush: false },
  gone: { flush: false },
  internalError: { rule: CLOSE.internalError, flush: false },
  failed: {
    rule: CLOSE.internalError,
    flush: false,
    failure: { failure: 'transcription', failureDetail: 'The recogniser failed.' },
  },
} as const satisfies Record<string, Ending>;

/** The ending of a session, decided once. */
export interface EndingDecision {
  readonly ending: Ending | undefined;
  /** Aborted when the ending is decided. */
  readonly decided: AbortSignal;
  /** Aborted when the session should wait for nothing any more. */
  readonly stopped: AbortSignal;
  /** Decides the ending; later calls do nothing. */
  decide(ending: Ending): void;
  /** Ends the session because the service stops: at once, or as {@link onDrain} says. Call once. */
  drain(): void;
  /** Sets the function that `drain()` calls instead of ending the session. */
  onDrain(end: () => void): void;
  /** Ends a flush that takes too long. */
  stop(): void;
}

export function createEndingDecision(): EndingDecision {
  const decided = new AbortController();
  const stopped = new AbortController();
  let ending: Ending | undefined;
  const decide = (choice: Ending) => {
    if (ending) return;
    ending = choice;
    decided.abort();
    if (!choice.flush) stopped.abort();
  };
  let drain = () => decide(ENDINGS.shuttingDown);
  return {
    get ending() {
      return ending;
    },
    decided: decided.signal,
    stopped: stopped.signal,
    decide,
    drain: () => drain(),
    onDrain: end => {
      drain = end;
    },
    stop: () => stopped.abort(),
  };
}
