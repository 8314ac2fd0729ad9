import { createTally } from '../rateLimits/tally.ts';

/** Limits on the bytes of audio waiting for recognisers. */
export interface BacklogLimits {
  readonly accountBacklogBytes: number;
  readonly backlogBytes: number;
}

/** The share of one stream in the waiting audio. */
export interface BacklogShare {
  add(bytes: number): void;
  /** True when the streams of the account, or all streams, have reached their limit. */
  readonly isFull: boolean;
}

/** Counts the waiting audio of each account and of all streams. Returns a function that creates the share of a stream. */
export function createBacklog(limits: BacklogLimits): (accountId: string) => BacklogShare {
  const byAccount = createTally();
  let total = 0;
  return accountId => ({
    add(bytes) {
      total += bytes;
      byAccount.add(accountId, bytes);
    },
    get isFull() {
      return byAccount.of(accountId) >= limits.accountBacklogBytes || total >= limits.backlogBytes;
    },
  });
}

/** Estimated memory of a piece besides its bytes; without it, a flood of tiny pieces would pass every limit. */
const PIECE_OVERHEAD_BYTES = 256;

export interface WaitingAudioOptions {
  /** Bytes that may wait before the last piece. */
  readonly waitingBytes: number;
  /** True to keep messages whole; otherwise pieces of any size are passed on. */
  readonly keepMessages: boolean;
  readonly backlog: BacklogShare;
}

/** A mark between two pieces: the waiting audio before the mark is to be recognised at once. */
export const FLUSH: Uint8Array = new Uint8Array(0);

interface Entry {
  readonly audio: Uint8Array;
  readonly cost: number;
  readonly arrivedMs: number;
}

/** The waiting audio of one client. */
export class WaitingAudio {
  readonly #options: WaitingAudioOptions;
  readonly #entries: Entry[] = [];
  /** Pieces of an incomplete message. */
  #parts: Uint8Array[] = [];
  #partsCost = 0;
  /** Cost of the piece taken last, which may still be in use. */
  #takenCost = 0;
  #takenMs = 0;
  #bytes = 0;
  #isClosed = false;

  constructor(options: WaitingAudioOptions) {
    this.#options = options;
  }

  /** True when reading should pause. */
  get isAboveLimit(): boolean {
    const { waitingBytes, backlog } = this.#options;
    return this.#entries.length > 0 && (this.#bytes > waitingBytes || backlog.isFull);
  }

  /** True when reading can continue. */
  get isBelowResumeLevel(): boolean {
    return this.#entries.length === 0 || this.#bytes <= this.#options.waitingBytes / 2;
  }

  /** True when the rest of a message has no room: its beginning is then discarded. */
  get isBlocked(): boolean {
    const { waitingBytes, backlog } = this.#options;
    return this.#partsCost > waitingBytes && backlog.isFull;
  }

  /** Arrival time of the piece that was taken last, as given to {@link add}. */
  get takenMs(): number {
    return this.#takenMs;
  }

  add(piece: Uint8Array, endsMessage: boolean, arrivedMs: number): void {
    const cost = piece.length + PIECE_OVERHEAD_BYTES;
    this.#count(cost);
    if (!this.#options.keepMessages || piece === FLUSH) {
      this.#entries.push({ audio: piece, cost, arrivedMs });
      return;
    }
    this.#parts.push(piece);
    this.#partsCost += cost;
    if (!endsMessage) return;
    const audio = this.#parts.length === 1 ? piece : Buffer.concat(this.#parts);
    this.#entries.push({ audio, cost: this.#partsCost, arrivedMs });
    this.#parts = [];
    this.#partsCost = 0;
  }

  /** Returns the next piece or message, if any, and ends the use of the previous one. */
  take(): Uint8Array | undefined {
    this.#count(-this.#takenCost);
    const entry = this.#entries.shift();
    this.#takenCost = entry?.cost ?? 0;
    if (entry) this.#takenMs = entry.arrivedMs;
    return entry?.audio;
  }

  /** Drops all audio. Nothing may be added afterwards. */
  close(): void {
    this.#count(-this.#bytes);
    this.#isClosed = true;
    this.#entries.length = 0;
    this.#parts = [];
  }

  #count(change: number): void {
    if (this.#isClosed) return;
    this.#bytes += change;
    this.#options.backlog.add(change);
  }
}
