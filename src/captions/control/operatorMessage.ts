import type { ControlState } from './captionControl.ts';

/** State of a source and its service, beside its outputs. */
export interface RoomFigures {
  /** Seconds of audio so far. */
  readonly audioSeconds: number;
  /** Level of the largest magnitude in the last second, in dB of full scale, -100 at least; absent without audio. */
  readonly peakDb?: number;
  /** The microphone that is heard, once it is known; `isOther` when it is not the wanted one. */
  readonly microphone?: { readonly name: string; readonly isOther: boolean };
  /** Seconds of audio since the end of the last recognised word; absent before the first one. */
  readonly sinceWordSeconds?: number;
  readonly isConnected: boolean;
  /** The service that recognises, where there is a standby. */
  readonly service?: 'first' | 'standby';
  /** Reason why there are no captions now. */
  readonly problem?: 'failed' | 'no audio' | 'digital silence' | 'starting' | 'no service';
  /** The latest messages, oldest first, with their times in milliseconds since 1970-01-01 UTC. */
  readonly messages: readonly { readonly atMs: number; readonly text: string }[];
}

/** A source, as an operator's page gets it. */
export interface RoomView {
  readonly name: string;
  /** Name of the page's track with its captions. */
  readonly track: string;
  readonly state: ControlState;
  readonly figures?: RoomFigures;
}

/** Message to an operator's page: at each change of its source, and each {@link OPERATOR_LIMITS.tickMs}. */
export interface OperatorMessage {
  /** Name of the source that the page controls. */
  readonly room: string;
  readonly rooms: readonly RoomView[];
  /** Connected viewers of the page. */
  readonly viewers?: number;
  /** True when the captions of its source have ended: this is the last message. */
  readonly isOver?: boolean;
}

/** Seconds by which the delay of an output differs from the shortest one when it is shown apart. */
const OTHER_DELAY_SECONDS = 0.5;

/** Returns the shortest delay of the words, and that of each output that differs from it. */
export function shownDelays(outputs: ControlState['outputs']) {
  const [first, ...rest] = outputs
    .flatMap(({ name, wordDelay }) => (wordDelay ? [{ name, ...wordDelay }] : []))
    .sort((one, other) => one.p50 - other.p50);
  return { first, others: rest.filter(({ p50 }) => p50 - first!.p50 > OTHER_DELAY_SECONDS) };
}

/** Limits of the operator's routes. */
export const OPERATOR_LIMITS = {
  /** Maximum number of connected operators. */
  operators: 20,
  commandBytes: 8192,
  /** Milliseconds between two messages. */
  tickMs: 500,
  /** Milliseconds without a message after which the page takes the connection for lost. */
  silentMs: 6000,
  /** Wrong tokens of one address in `guessSpanMs` that are answered as such. */
  guesses: 10,
  guessSpanMs: 60_000,
  /** Addresses whose wrong tokens are counted. */
  addresses: 1000,
} as const;
