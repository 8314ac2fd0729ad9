import type { Clock } from '../../../base/clock.ts';
import { END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import type { TranscriptEvent } from '../../../transcript/model/events.ts';
import type { Chunk } from '../../spool/chunk.ts';
import type { StreamStatus } from '../status.ts';
import type { ConnectionTap, TappedClose } from '../wireTap.ts';
import type { SocketClose } from './closeErrors.ts';
import { next, startSession, takesAudio } from './session.ts';
import type {
  SessionEffect,
  SessionEvent,
  SessionSettings,
  SessionState,
  SessionStep,
  TimerName,
} from './sessionModel.ts';
import { openSocket, type SocketHandlers, type StreamSocket } from './socket.ts';

/** Bytes that may wait in the socket; what is more waits in the queue, where it can still be dropped. */
const SOCKET_WINDOW_BYTES = 64 * 1024;

/**
 * Bytes of audio that go ahead of `connected`, and how many more with each answer to a ping. A service that looks for a
 * recogniser takes so little without reading on, and goes on answering; one that answers no more is gone. With nothing
 * at all it might close for want of audio.
 */
export const AHEAD_BYTES = { first: 64 * 1024, perPong: 8 * 1024 } as const;

/** Where a connection gets its audio. */
export interface ChunkQueue {
  /** Nothing waits. */
  readonly isEmpty: boolean;
  /** The next chunk, of so many bytes at most; undefined when nothing waits, or nothing may go out now. */
  shift(maxBytes: number): Chunk | undefined;
}

export interface ConnectionHandlers {
  event(event: TranscriptEvent): void;
  status(status: StreamStatus): void;
  /** The service has read what the source gave before a frame. */
  read(frame: number): void;
  /** Some of what was sent has left the process. */
  drained(): void;
  /** Called once; all is closed by then. */
  end(failure?: { readonly error: unknown }): void;
}

export interface ConnectionOptions {
  readonly settings: SessionSettings;
  /** Gives the address with a fresh token; called once. */
  readonly address: () => Promise<URL>;
  readonly queue: ChunkQueue;
  readonly clock: Clock;
  /** Called once, before the connection is made. */
  readonly tap?: () => ConnectionTap;
  readonly handlers: ConnectionHandlers;
}

/** One connection to a service: the shell of socket and timers around a session. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #timers = new Map<TimerName, () => void>();
  readonly #first: SessionStep;
  #state: SessionState;
  #socket: StreamSocket | undefined;
  /** None any more when it was told of the end. */
  #tap: ConnectionTap | undefined;
  /** Bytes that may still be sent before the service is ready. */
  #aheadBytes: number = AHEAD_BYTES.first;
  #isFinishing = false;
  #hasEnded = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#first = startSession(options.settings);
    this.#state = this.#first.state;
  }

  /** To be called once. Apart from the constructor, because handlers are called already here. */
  start(): void {
    this.#take(this.#first);
  }

  /** Bytes that wait in the socket. */
  get bufferedBytes(): number {
    return this.#socket?.bufferedBytes ?? 0;
  }

  /** Sends what is in the queue, as far as it can go out now. */
  flush(): void {
    const { queue } = this.#options;
    while (this.#takesMore) {
      const chunk = queue.shift(this.#state.isReady ? Number.POSITIVE_INFINITY : this.#aheadBytes);
      if (!chunk) break;
      const { bytes, startFrame, frames } = chunk;
      this.#aheadBytes -= bytes.length;
      this.#socket!.send(bytes);
      this.#tap?.audio(chunk);
      this.#dispatch({ type: 'sent', startFrame, frames });
    }
    if (this.#isFinishing && queue.isEmpty && takesAudio(this.#state)) this.#dispatch({ type: 'flushed' });
  }

  get #takesMore(): boolean {
    const isOpen = this.#state.isReady || this.#aheadBytes > 0;
    return takesAudio(this.#state) && isOpen && this.bufferedBytes < SOCKET_WINDOW_BYTES;
  }

  /** Sends silence that the source does not have, so that the service does not close for want of audio. */
  pad(silence: Pick<Chunk, 'bytes' | 'frames'>): void {
    if (!takesAudio(this.#state)) return;
    this.#socket!.send(silence.bytes);
    this.#tap?.padding(silence);
    this.#dispatch({ type: 'padded', frames: silence.frames });
  }

  /** No more audio will come into the queue. */
  finish(): void {
    this.#isFinishing = true;
    this.flush();
  }

  /** Ends all with an error of this side. */
  fail(error: unknown): void {
    this.#dispatch({ type: 'failed', error });
  }

  /** Ends all at once; idempotent. */
  close(): void {
    this.#dispatch({ type: 'stopped' });
  }

  #dispatch(event: SessionEvent): void {
    this.#take(next(this.#state, event));
  }

  #take({ state, effects }: SessionStep): void {
    this.#state = state;
    for (const effect of effects) {
      // Whoever gets an event may end all in the middle of a step.
      if (this.#hasEnded) return;
      this.#perform(effect);
    }
  }

  #perform(effect: SessionEffect): void {
    const { handlers } = this.#options;
    switch (effect.type) {
      case 'connect':
        void this.#connect();
        break;
      case 'flush':
        this.flush();
        handlers.drained();
        break;
      case 'sendEnd':
        this.#socket!.send(END_OF_STREAM);
        this.#tap?.sent(END_OF_STREAM);
        break;
      case 'ping':
        this.#socket!.ping();
        break;
      case 'read':
        handlers.read(effect.frame);
        break;
      case 'emit':
        handlers.event(effect.event);
        break;
      case 'status':
        handlers.status(effect.status);
        break;
      case 'startTimer':
        this.#startTimer(effect.timer, effect.delayMs);
        break;
      case 'stopTimer':
        this.#timers.get(effect.timer)?.();
        break;
      case 'finish':
        this.#end(effect.failure);
        break;
    }
  }

  async #connect(): Promise<void> {
    try {
      const address = await this.#options.address();
      if (this.#hasEnded) return;
      this.#tap = this.#options.tap?.();
      this.#socket = openSocket(address, this.#socketHandlers());
    } catch (error) {
      this.fail(error);
    }
  }

  #socketHandlers(): SocketHandlers {
    return {
      opened: () => {
        this.#tap?.opened();
        this.#dispatch({ type: 'opened' });
      },
      text: text => {
        this.#tap?.received(text);
        this.#dispatch({ type: 'text', text });
      },
      binary: () => {
        this.#tap?.receivedBinary();
        this.#dispatch({ type: 'binary' });
      },
      pong: () => {
        this.#aheadBytes += AHEAD_BYTES.perPong;
        this.#dispatch({ type: 'pong' });
        this.flush();
      },
      drained: () => {
        this.flush();
        this.#options.handlers.drained();
      },
      closed: close => {
        this.#tellClosed(close.code === 1006 ? 'network' : 'service', close);
        this.#dispatch({ type: 'closed', close });
      },
    };
  }

  #startTimer(timer: TimerName, delayMs: number): void {
    this.#timers.get(timer)?.();
    const cancel = this.#options.clock.schedule(delayMs, () => this.#dispatch({ type: 'timeout', timer }));
    this.#timers.set(timer, cancel);
  }

  #tellClosed(by: TappedClose['by'], { code, reason, httpStatus }: Omit<SocketClose, 'opened'>): void {
    this.#tap?.closed({ by, code, reason, ...(httpStatus !== undefined && { httpStatus }) });
    this.#tap = undefined;
  }

  #end(failure?: { readonly error: unknown }): void {
    this.#hasEnded = true;
    this.#tellClosed('client', { code: 1000, reason: '' });
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#socket?.close();
    this.#options.handlers.end(failure);
  }
}
