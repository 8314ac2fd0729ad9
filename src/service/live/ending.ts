import { CLOSE, type CloseRule } from '../../protocol/closeCodes.ts';
import type { JobFailure } from '../../protocol/jobs.ts';

/** The end of a session: its close, and the outcome of its job. */
export interface Ending {
  /** Undefined when the client has gone. */
  readonly rule?: CloseRule;
  readonly why?: string;
  /** Audio that is still recognised: all that came; what the recogniser already has; or none. */
  readonly flush: 'all' | 'written' | 'none';
  /**
   * Words that are still sent: all; or all but a last word that may be cut, which a client that goes on sends again. Default:
   * none, the words are only stored in the job.
   */
  readonly sends?: 'all' | 'uncut';
  /** The failure of the session's job, if it failed. */
  readonly failure?: { readonly failure: JobFailure; readonly failureDetail: string };
}

export const ENDINGS = {
  endOfInput: { rule: CLOSE.endOfInput, flush: 'all', sends: 'all' },
  idle: { rule: CLOSE.idle, flush: 'all', sends: 'uncut' },
  outOfCredit: { rule: CLOSE.outOfCredit, flush: 'written' },
  sessionLimit: { rule: CLOSE.shuttingDown, why: 'longest session', flush: 'written' },
  shuttingDown: { rule: CLOSE.shuttingDown, flush: 'written' },
  protocolError: { rule: CLOSE.protocolError, flush: 'all' },
  unexpectedText: { rule: CLOSE.unexpectedText, flush: 'all' },
  noInstance: { rule: CLOSE.noInstance, flush: 'none' },
  revoked: { rule: CLOSE.unauthorized, flush: 'written' },
  gone: { flush: 'all' },
  internalError: { rule: CLOSE.internalError, flush: 'none' },
  failed: {
    rule: CLOSE.internalError,
    flush: 'none',
    failure: { failure: 'transcription', failureDetail: 'The recogniser failed.' },
  },
  /** Another recogniser may answer. */
  hung: {
    rule: CLOSE.noInstance,
    flush: 'none',
    failure: { failure: 'transcription', failureDetail: 'The recogniser did not answer.' },
  },
} as const satisfies Record<string, Ending>;

/** The ending of a session, decided once. */
export type EndingDecision = ReturnType<typeof createEndingDecision>;

/** Creates a decision that is open. */
export function createEndingDecision() {
  const decided = new AbortController();
  const stopped = new AbortController();
  const signals: Record<'decided' | 'stopped', AbortSignal> = {
    /** Aborted when the ending is decided. */
    decided: decided.signal,
    /** Aborted when the session must stop waiting. */
    stopped: stopped.signal,
  };
  let ending: Ending | undefined;
  const decide = (choice: Ending) => {
    if (ending) return;
    ending = choice;
    decided.abort();
    if (choice.flush === 'none') stopped.abort();
  };
  let drain = () => decide(ENDINGS.shuttingDown);
  return {
    get ending() {
      return ending;
    },
    ...signals,
    /** Decides the ending; later calls do nothing. */
    decide,
    /** Ends the session because the service stops: at once, or as `onDrain` says. Call once. */
    drain: () => drain(),
    /** Sets the function that `drain()` calls instead of ending the session. */
    onDrain(end: () => void): void {
      drain = end;
    },
    /** Ends all work of the session, such as a flush that takes too long. */
    stop: () => stopped.abort(),
  };
}
