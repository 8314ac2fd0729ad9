import { CLOSE, type CloseRule } from '../../protocol/closeCodes.ts';
import type { JobFailure } from '../../protocol/jobs.ts';

/** How a session ends: what the client is told, and what becomes of the words. */
export interface Ending {
  /** Undefined when there is nobody to be told. */
  readonly rule?: CloseRule;
  readonly why?: string;
  /** What was heard is still recognised, and its last final sent. */
  readonly flush: boolean;
  /** The session's job has failed. */
  readonly failure?: { readonly failure: JobFailure; readonly failureDetail: string };
}

export const ENDINGS = {
  endOfInput: { rule: CLOSE.endOfInput, flush: true },
  idle: { rule: CLOSE.idle, flush: true },
  outOfCredit: { rule: CLOSE.outOfCredit, flush: true },
  sessionLimit: { rule: CLOSE.shuttingDown, why: 'longest session', flush: true },
  shuttingDown: { rule: CLOSE.shuttingDown, flush: true },
  protocolError: { rule: CLOSE.protocolError, flush: false },
  unexpectedText: { rule: CLOSE.unexpectedText, flush: false },
  noInstance: { rule: CLOSE.noInstance, flush: false },
  revoked: { rule: CLOSE.unauthorized, flush: false },
  gone: { flush: false },
  internalError: { rule: CLOSE.internalError, flush: false },
  failed: {
    rule: CLOSE.internalError,
    flush: false,
    failure: { failure: 'transcription', failureDetail: 'The recogniser failed' },
  },
} as const satisfies Record<string, Ending>;

/** Settles once how a session ends. */
export interface EndingDecision {
  readonly ending: Ending | undefined;
  /** Aborted when the end is decided. */
  readonly decided: AbortSignal;
  /** Aborted when nothing more is waited for. */
  readonly stopped: AbortSignal;
  /** The first call decides. */
  decide(ending: Ending): void;
  /** Ends a flush that takes too long. */
  stop(): void;
}

export function createEndingDecision(): EndingDecision {
  const decided = new AbortController();
  const stopped = new AbortController();
  let ending: Ending | undefined;
  return {
    get ending() {
      return ending;
    },
    decided: decided.signal,
    stopped: stopped.signal,
    decide(choice) {
      if (ending) return;
      ending = choice;
      decided.abort();
      if (!choice.flush) stopped.abort();
    },
    stop: () => stopped.abort(),
  };
}
