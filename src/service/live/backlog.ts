/** Bytes of audio that may wait for recognisers. */
export interface BacklogLimits {
  readonly accountBacklogBytes: number;
  readonly backlogBytes: number;
}

/** The share that one stream has in what waits. */
export interface BacklogShare {
  add(bytes: number): void;
  /** Whether the streams of the account, or all streams, have as much waiting as they may. */
  readonly isFull: boolean;
}

/** Counts the audio that waits, over the streams of each account and over all. Returns the share of a stream. */
export function createBacklog(limits: BacklogLimits): (accountId: string) => BacklogShare {
  const byAccount = new Map<string, number>();
  let total = 0;
  return accountId => ({
    add(bytes) {
      total += bytes;
      const ofAccount = (byAccount.get(accountId) ?? 0) + bytes;
      if (ofAccount === 0) byAccount.delete(accountId);
      else byAccount.set(accountId, ofAccount);
    },
    get isFull() {
      const ofAccount = byAccount.get(accountId) ?? 0;
      return ofAccount >= limits.accountBacklogBytes || total >= limits.backlogBytes;
    },
  });
}

/** Memory that a piece of audio takes beside its bytes; without it a flood of tiny ones would pass every bound. */
const PIECE_OVERHEAD_BYTES = 256;

export interface WaitingAudioOptions {
  /** Bytes that may wait, beside the piece that passes it. */
  readonly waitingBytes: number;
  /** Each message stands for itself; otherwise audio comes in any pieces. */
  readonly keepMessages: boolean;
  readonly backlog: BacklogShare;
}

interface Entry {
  readonly audio: Uint8Array;
  readonly cost: number;
}

/** The audio of one client that waits to be taken. */
export class WaitingAudio {
  readonly #options: WaitingAudioOptions;
  readonly #entries: Entry[] = [];
  /** Bytes of a message that is not complete. */
  #parts: Uint8Array[] = [];
  #partsCost = 0;
  /** Bytes of the piece that was taken last, which may still be in use. */
  #takenCost = 0;
  #bytes = 0;
  #isClosed = false;

  constructor(options: WaitingAudioOptions) {
    this.#options = options;
  }

  /** True when reading should pause. */
  get isTooMuch(): boolean {
    const { waitingBytes, backlog } = this.#options;
    return this.#entries.length > 0 && (this.#bytes > waitingBytes || backlog.isFull);
  }

  /** True when reading can go on. */
  get isLittle(): boolean {
    return this.#entries.length === 0 || this.#bytes <= this.#options.waitingBytes / 2;
  }

  /** There is no room for the rest of a message; without all of it, its beginning is of no use. */
  get isStuck(): boolean {
    const { waitingBytes, backlog } = this.#options;
    return this.#partsCost > waitingBytes && backlog.isFull;
  }

  add(piece: Uint8Array, endsMessage: boolean): void {
    const cost = piece.length + PIECE_OVERHEAD_BYTES;
    this.#count(cost);
    if (!this.#options.keepMessages) {
      this.#entries.push({ audio: piece, cost });
      return;
    }
    this.#parts.push(piece);
    this.#partsCost += cost;
    if (!endsMessage) return;
    const audio = this.#parts.length === 1 ? piece : Buffer.concat(this.#parts);
    this.#entries.push({ audio, cost: this.#partsCost });
    this.#parts = [];
    this.#partsCost = 0;
  }

  /** The next piece or message, when there is one; ends the use of the one before. */
  take(): Uint8Array | undefined {
    this.#count(-this.#takenCost);
    const entry = this.#entries.shift();
    this.#takenCost = entry?.cost ?? 0;
    return entry?.audio;
  }

  /** Drops all. Nothing is to be added after it. */
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
