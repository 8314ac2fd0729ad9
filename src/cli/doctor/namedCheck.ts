/** A check of one thing that captions use. */
export interface NamedCheck {
  readonly name: string;
  /** Milliseconds after which the check has failed. Default {@link CHECK_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Resolves with a sentence on what was found, and rejects with an error of one line. */
  run(signal: AbortSignal): Promise<string>;
}

/** Default of {@link NamedCheck.timeoutMs}: more than the limits that the parts themselves have. */
export const CHECK_TIMEOUT_MS = 30_000;
