import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { FrameReader, type FrameSink } from './frameReader.ts';

/** Bytes read from a refused client: its answer to the close may follow some audio. */
const REFUSED_BYTES = 64 * 1024;

/** Receives the audio and the faults of a client. */
export type ConnectionSink = Omit<FrameSink, 'onProtocol'>;

const nobody: ConnectionSink = { onAudio: () => {}, onFault: () => {} };

/** The part of a WebSocket that a session uses. */
export type ClientSocket = Pick<EventEmitter, 'on' | 'once' | 'emit'> &
  Pick<WebSocket, 'OPEN' | 'readyState' | 'bufferedAmount' | 'terminate'> & {
    send(text: string): void;
    close(code: number, reason: string): void;
    ping(): void;
  };

/** The part of a connection that a session uses. */
export type ClientConnection = Pick<
  Connection,
  'bytesRead' | 'wasOpened' | 'isHeld' | 'open' | 'hold' | 'release' | 'discard'
> & { destroy(): void };

/**
 * The connection of a WebSocket client as seen by the WebSocket library: without the audio, which goes to a sink as it
 * arrives instead of being assembled. Nothing is read before {@link open} or {@link discard}. After each piece, the
 * event loop serves other connections.
 */
export class Connection extends Duplex {
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  #head: Uint8Array | undefined;
  #sink = nobody;
  #isHeld = true;
  #awaitsTurn = false;
  /** Bytes that may still be read. */
  #allowance = Number.POSITIVE_INFINITY;

  /**
   * @param head bytes that arrived with the handshake
   * @param messageBytes maximum bytes of a message of audio
   */
  constructor(socket: Socket, head: Uint8Array, messageBytes: number) {
    super();
    this.#socket = socket;
    this.#head = head;
    this.#reader = new FrameReader(messageBytes, {
      onAudio: (piece, endsMessage) => this.#sink.onAudio(piece, endsMessage),
      onFault: ending => this.#sink.onFault(ending),
      onProtocol: bytes => void this.push(bytes),
    });
    socket.pause();
    // The HTTP server would drop it when idle.
    socket.setTimeout(0);
    socket.setNoDelay();
    socket.on('data', bytes => this.#take(bytes));
    socket.on('end', () => void this.push(null));
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Bytes received so far. */
  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** True once anything was read. */
  get wasOpened(): boolean {
    return this.#head === undefined;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Starts reading. With `keepMessages` the sink learns where each message ends. */
  open(sink: ConnectionSink, { keepMessages = false } = {}): void {
    this.#sink = sink;
    if (keepMessages) this.#reader.keepMessages();
    this.#start();
  }

  /** Stops reading. */
  hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
  }

  /** Resumes reading. */
  release(): void {
    this.#isHeld = false;
    if (!this.#awaitsTurn && !this.destroyed) this.#socket.resume();
  }

  /** Ignores all audio from now on, waiting only for the close. Of a connection that was never opened, little is read. */
  discard(): void {
    this.#reader.discard();
    if (this.#head) this.#allowance = REFUSED_BYTES;
    this.#sink = nobody;
    this.#start();
  }

  #start(): void {
    const head = this.#head;
    this.#head = undefined;
    this.release();
    if (head && head.length > 0) this.#take(head);
  }

  #take(bytes: Uint8Array): void {
    this.#socket.pause();
    this.#awaitsTurn = true;
    setImmediate(() => {
      this.#awaitsTurn = false;
      if (!this.#isHeld) this.release();
    });
    this.#allowance -= bytes.length;
    if (this.#allowance < 0) this.hold();
    this.#reader.read(bytes);
  }

  // Pieces are pushed on arrival; protocol frames are too small to need back pressure.
  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, callback);
  }

  override _writev(chunks: readonly { chunk: Uint8Array }[], callback: (error?: Error | null) => void): void {
    // A frame is written in two parts, which should leave in one packet.
    this.#socket.cork();
    for (const { chunk } of chunks.slice(0, -1)) this.#socket.write(chunk);
    this.#socket.write(chunks.at(-1)!.chunk, callback);
    this.#socket.uncork();
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}
