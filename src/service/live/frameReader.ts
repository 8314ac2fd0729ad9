import type { Ending } from './ending.ts';
import {
  createFrameRules,
  type FrameRules,
  type FrameWay,
  headLength,
  isControl,
  isSound,
  MASK_BYTES,
  MAX_HEAD_BYTES,
  readHead,
} from './frameHead.ts';

/** Takes what a frame reader finds, in order. */
export interface FrameSink {
  /** Audio, unmasked. `endsMessage` is true only when messages are kept apart. */
  onAudio(piece: Uint8Array, endsMessage: boolean): void;
  /** Bytes of frames that the WebSocket library is to see. */
  onProtocol(bytes: Uint8Array): void;
  /** The client does what it must not; from now on only control frames come. */
  onFault(ending: Ending): void;
}

/**
 * Takes the bytes of a WebSocket client apart, and hands on audio as it arrives: a message of any length takes no more
 * memory than the bytes that came at once, and tiny messages that came together are one piece.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #rules: FrameRules;
  readonly #head = new Uint8Array(MAX_HEAD_BYTES);
  #headBytes = 0;
  #inPayload = false;
  /** Bytes of the payload that are to come. */
  #remaining = 0;
  #way: FrameWay = 'protocol';
  #isLast = true;
  #maskAt = 0;
  #keepsMessages = false;
  #discards = false;
  /** True after a fault behind which no frame can be found. */
  #isBroken = false;
  /** The audio of the bytes at hand is moved to their start; this much of it is to be handed on. */
  #from = 0;
  #to = 0;

  /** @param messageBytes bytes that a message of audio may have */
  constructor(messageBytes: number, sink: FrameSink) {
    this.#sink = sink;
    this.#rules = createFrameRules(messageBytes);
  }

  /** Takes the next bytes, and overwrites them. */
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
    this.#handOn(bytes, false);
  }

  /** Says where each message ends, for audio in which that matters. */
  keepMessages(): void {
    this.#keepsMessages = true;
  }

  /** Passes over all but control frames from now on. */
  discard(): void {
    this.#discards = true;
    if (this.#way === 'audio') this.#way = 'nowhere';
  }

  /** Takes a byte of a head; true when it was the last. */
  #takeHead(bytes: Uint8Array, at: number): boolean {
    this.#head[this.#headBytes++] = bytes[at]!;
    if (this.#headBytes < 2) return false;
    if (this.#headBytes === 2 && !isSound(this.#head)) {
      // The library says so to the client.
      this.#isBroken = true;
      this.#passHead(bytes);
    }
    if (this.#isBroken || this.#headBytes < headLength(this.#head)) return false;
    const frame = readHead(this.#head);
    this.#inPayload = true;
    this.#remaining = frame.length;
    this.#isLast = frame.isLast;
    this.#maskAt = 0;
    const next = this.#discards && !isControl(frame.opcode) ? 'nowhere' : this.#rules.next(frame);
    this.#way = typeof next === 'string' ? next : 'nowhere';
    if (next === 'protocol') this.#passHead(bytes);
    if (typeof next !== 'string') {
      this.#handOn(bytes, false);
      this.#discards = true;
      this.#sink.onFault(next);
    }
    return true;
  }

  #passHead(bytes: Uint8Array): void {
    // What was said before it is heard before it.
    this.#handOn(bytes, false);
    this.#sink.onProtocol(this.#head.slice(0, this.#headBytes));
  }

  #takePayload(bytes: Uint8Array, start: number, end: number): void {
    this.#remaining -= end - start;
    if (this.#way === 'audio') this.#unmask(bytes, start, end);
    // A copy: it may be kept, and the bytes are overwritten.
    else if (this.#way === 'protocol' && end > start) {
      this.#sink.onProtocol(new Uint8Array(bytes.subarray(start, end)));
    }
    if (this.#remaining > 0) return;
    this.#inPayload = false;
    this.#headBytes = 0;
    if (this.#way === 'audio' && this.#isLast && this.#keepsMessages) this.#handOn(bytes, true);
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

  #handOn(bytes: Uint8Array, endsMessage: boolean): void {
    const audio = bytes.subarray(this.#from, this.#to);
    this.#from = this.#to;
    if (this.#discards || (audio.length === 0 && !endsMessage)) return;
    // A little of it must not hold all the rest in memory.
    const isLittle = audio.length < bytes.length / 2;
    this.#sink.onAudio(isLittle ? new Uint8Array(audio) : audio, endsMessage);
  }
}
