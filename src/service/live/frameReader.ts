import type { Ending } from './ending.ts';
import {
  createFrameRules,
  type FrameRoute,
  headLength,
  isControl,
  isValidHead,
  MASK_BYTES,
  MAX_HEAD_BYTES,
  readHead,
} from './frameHead.ts';

/** Receives the contents of frames, in order. */
export interface FrameSink {
  /** Receives unmasked audio. `endsMessage` is true only when messages are kept whole. */
  onAudio(piece: Uint8Array, endsMessage: boolean): void;
  /** Receives bytes of frames for the WebSocket library. */
  onProtocol(bytes: Uint8Array): void;
  /** Receives a violation by the client; only control frames follow. */
  onFault(ending: Ending): void;
}

/**
 * Splits the bytes of a WebSocket client into frames, and passes on audio as it arrives: a message of any length takes no
 * more memory than the bytes that arrived at once, and tiny messages that arrived together are one piece.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #routeOf: ReturnType<typeof createFrameRules>;
  readonly #head = new Uint8Array(MAX_HEAD_BYTES);
  readonly #headView = new DataView(this.#head.buffer);
  #headBytes = 0;
  #inPayload = false;
  /** Bytes of the payload still to come. */
  #remaining = 0;
  #route: FrameRoute = 'protocol';
  #isLast = true;
  #maskAt = 0;
  #keepsMessages = false;
  #discards = false;
  /** True after a fault that makes the following frames unreadable. */
  #isBroken = false;
  /** Range of the unmasked audio in the current bytes, which is moved to their start. */
  #from = 0;
  #to = 0;

  /** @param messageBytes maximum bytes of a message of audio */
  constructor(messageBytes: number, sink: FrameSink) {
    this.#sink = sink;
    this.#routeOf = createFrameRules(messageBytes);
  }

  /** Reads the next bytes, and overwrites them. */
  read(bytes: Uint8Array): void {
    this.#from = 0;
    this.#to = 0;
    let at = 0;
    while (at < bytes.length && !this.#isBroken) {
      if (!this.#inPayload && !this.#takeHead(bytes, at++)) continue;
      const end = Math.min(bytes.length, at + this.#remaining);
      this.#takePayload(bytes, at, end);
      at = end;
    }
    this.#passAudio(bytes, false);
  }

  /** Reports where each message ends. */
  keepMessages(): void {
    this.#keepsMessages = true;
  }

  /** Ignores all but control frames from now on. */
  discard(): void {
    this.#discards = true;
    if (this.#route === 'audio') this.#route = 'none';
  }

  /** Reads a byte of a head; returns true when it was the last. */
  #takeHead(bytes: Uint8Array, at: number): boolean {
    this.#head[this.#headBytes++] = bytes[at]!;
    if (this.#headBytes < 2) return false;
    if (this.#headBytes === 2 && !isValidHead(this.#headView)) {
      // The library reports the violation to the client.
      this.#isBroken = true;
      this.#passHead(bytes);
    }
    if (this.#isBroken || this.#headBytes < headLength(this.#headView)) return false;
    const frame = readHead(this.#headView);
    this.#inPayload = true;
    this.#remaining = frame.length;
    this.#isLast = frame.isLast;
    this.#maskAt = 0;
    const next = this.#discards && !isControl(frame.opcode) ? 'none' : this.#routeOf(frame);
    this.#route = typeof next === 'string' ? next : 'none';
    if (next === 'protocol') this.#passHead(bytes);
    if (typeof next !== 'string') {
      this.#passAudio(bytes, false);
      this.#discards = true;
      this.#sink.onFault(next);
    }
    return true;
  }

  #passHead(bytes: Uint8Array): void {
    // Keeps the order of audio and text.
    this.#passAudio(bytes, false);
    this.#sink.onProtocol(this.#head.slice(0, this.#headBytes));
  }

  #takePayload(bytes: Uint8Array, start: number, end: number): void {
    this.#remaining -= end - start;
    if (this.#route === 'audio') this.#unmask(bytes, start, end);
    // A copy, as the library may keep the bytes, and the buffer is overwritten.
    else if (this.#route === 'protocol' && end > start) {
      this.#sink.onProtocol(new Uint8Array(bytes.subarray(start, end)));
    }
    if (this.#remaining > 0) return;
    this.#inPayload = false;
    this.#headBytes = 0;
    if (this.#route === 'audio' && this.#isLast && this.#keepsMessages) this.#passAudio(bytes, true);
  }

  #unmask(bytes: Uint8Array, start: number, end: number): void {
    const head = this.#head;
    const mask = this.#headBytes - MASK_BYTES;
    let to = this.#to;
    let maskAt = this.#maskAt;
    for (let at = start; at < end; at++) bytes[to++] = bytes[at]! ^ head[mask + (maskAt++ & 3)]!;
    this.#to = to;
    this.#maskAt = maskAt & 3;
  }

  #passAudio(bytes: Uint8Array, endsMessage: boolean): void {
    const audio = bytes.subarray(this.#from, this.#to);
    this.#from = this.#to;
    if (this.#discards || (audio.length === 0 && !endsMessage)) return;
    // A copy of a small part, so that it does not keep all the bytes in memory.
    const isLittle = audio.length < bytes.length / 2;
    this.#sink.onAudio(isLittle ? new Uint8Array(audio) : audio, endsMessage);
  }
}
