import type { ControlState } from './captionControl.ts';

/** State of a source, as its operator's page gets it. */
export interface OperatorMessage {
  /** Name of the source. */
  readonly room: string;
  /** Names of all sources. */
  readonly rooms: readonly string[];
  /** Name of the track with the captions of the source. */
  readonly track: string;
  readonly state: ControlState;
}

/** Limits of the operator's routes. */
export const OPERATOR_LIMITS = {
  /** Operators at once. */
  operators: 20,
  commandBytes: 8192,
  /** Milliseconds between two signs of life; the page takes three missing ones for a lost connection. */
  pingMs: 2000,
  /** Wrong tokens of one address in `guessSpanMs` that are answered as such. */
  guesses: 10,
  guessSpanMs: 60_000,
  /** Addresses whose wrong tokens are counted. */
  addresses: 1000,
} as const;
