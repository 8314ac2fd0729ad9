import type { PcmFormat } from '../../../audio/format/format.ts';
import { secondsAt } from '../../../audio/format/frameRange.ts';
import { END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import type { StreamQuery } from '../../../protocol/streamQuery.ts';
import { publicAddress } from '../../serviceAccess.ts';
import type { Chunk } from '../../spool/replayStore.ts';
import { contentTypeOf, silence } from '../audioBlocks.ts';
import type { StreamSettings } from '../settings.ts';
import type { ConnectionTap, TappedClose } from '../wireTap.ts';
import { queryAddress, tokenAddress } from './address.ts';
import type { SocketClose } from './closeErrors.ts';
import { next, startSession, takesAudio } from './session.ts';
import type {
  ConnectionEvent,
  SessionEffect,
  SessionEvent,
  SessionState,
  SessionStep,
  TimerName,
} from './sessionModel.ts';
import { openSocket, type SocketEvent, type StreamSocket } from './socket.ts';

/** Bytes that may wait in the socket. More waits in the journal, where it can still be dropped. */
const SOCKET_WINDOW_BYTES = 64 * 1024;

/**
 * Bytes of audio sent ahead of `connected`, and how many more with each answer to a ping. A service that looks for a
 * recogniser takes so little without reading on and keeps answering; a service that stops answering is gone. Without any
 * audio it might close the connection.
 */
export const AHEAD_BYTES = { first: 64 * 1024, perPong: 8 * 1024 } as const;

export interface ConnectionOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  /** Address of the stream of a service, without query and token. */
  readonly address: URL;
  /** First frame of the source that may be sent. */
  readonly originFrame: number;
  readonly token: () => Promise<string>;
  readonly onEvent: (event: ConnectionEvent) => void;
}

/** One WebSocket to a service: performs the effects of a session. */
export class Connection {
  /** Frame of the source before which all audio was sent or left out. */
  sentFrame: number;
  /** True when no audio follows that which belongs to this connection. */
  isDraining = false;
  readonly #options: ConnectionOptions;
  readonly #timers = new Map<TimerName, () => void>();
  readonly #query: StreamQuery;
  readonly #target: URL;
  readonly #first: SessionStep;
  #state: SessionState;
  #socket: StreamSocket | undefined;
  /** Undefined before the connection and once its end was reported. */
  #tap: ConnectionTap | undefined;
  #aheadBytes: number = AHEAD_BYTES.first;
  #hasEnded = false;

  constructor(options: ConnectionOptions) {
    const { settings, format, address, originFrame } = options;
    this.#options = options;
    const startTs = secondsAt(originFrame, { ...format, startTs: settings.query.startTs });
    const time = originFrame > 0 ? { startTs } : {};
    this.#query = { ...settings.query, ...time, contentType: contentTypeOf(format) };
    this.#target = queryAddress(address, this.#query);
    this.sentFrame = originFrame;
    this.#first = startSession({
      address: publicAddress(address),
      sampleRate: format.sampleRate,
      originFrame,
      startTs,
      maxSegmentSeconds: settings.maxSegmentSeconds,
      timeouts: settings.timeouts,
    });
    this.#state = this.#first.state;
  }

  /** Connects. To be called once. */
  start(): void {
    this.#take(this.#first);
  }

  /** Bytes that wait in the socket. */
  get bufferedBytes(): number {
    return this.#socket?.bufferedBytes ?? 0;
  }

  /** Bytes of audio that the connection takes now. */
  get roomBytes(): number {
    if (!takesAudio(this.#state) || this.bufferedBytes >= SOCKET_WINDOW_BYTES) return 0;
    return this.#state.isReady ? Number.POSITIVE_INFINITY : Math.max(0, this.#aheadBytes);
  }

  /** Sends audio; to be called while there is room. */
  send(chunk: Chunk): void {
    const { bytes, startFrame, frames } = chunk;
    this.sentFrame = startFrame + frames;
    this.#aheadBytes -= bytes.length;
    this.#socket!.send(bytes);
    this.#tap?.audio(chunk);
    this.#dispatch({ type: 'sent', startFrame, frames });
  }

  /** Sends silence that the source does not have, so that the service does not close for want of audio. */
  pad(seconds: number): void {
    if (!takesAudio(this.#state)) return;
    const { format } = this.#options;
    const pad = silence(format, Math.round(seconds * format.sampleRate));
    this.#socket!.send(pad.bytes);
    this.#tap?.padding(pad);
    this.#dispatch({ type: 'padded', frames: pad.frames });
  }

  /** Sends the end of the audio, when the service takes audio. */
  endAudio(): void {
    this.#dispatch({ type: 'flushed' });
  }

  /** Closes at once; idempotent. */
  close(): void {
    this.#dispatch({ type: 'stopped' });
  }

  #dispatch(event: SessionEvent): void {
    this.#take(next(this.#state, event));
  }

  #take({ state, effects }: SessionStep): void {
    this.#state = state;
    for (const effect of effects) {
      // A subscriber may close everything in the middle of a step.
      if (this.#hasEnded) return;
      this.#perform(effect);
    }
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case 'connect':
        void this.#connect();
        break;
      case 'sendEnd':
        this.#socket!.send(END_OF_STREAM);
        this.#tap?.sent(END_OF_STREAM);
        break;
      case 'ping':
        this.#socket!.ping();
        break;
      case 'startTimer':
        this.#startTimer(effect);
        break;
      case 'stopTimer':
        this.#timers.get(effect.timer)?.();
        break;
      case 'ended':
        this.#close();
        this.#options.onEvent(effect);
        break;
      default:
        this.#options.onEvent(effect);
    }
  }

  async #connect(): Promise<void> {
    const { settings, address, originFrame, token } = this.#options;
    try {
      const target = tokenAddress(this.#target, await token());
      if (this.#hasEnded) return;
      const query = this.#query;
      this.#tap = settings.tap?.connect({ address: publicAddress(address), query, originFrame });
      this.#socket = openSocket(target, event => this.#onSocket(event));
    } catch (error) {
      this.#dispatch({ type: 'failed', error });
    }
  }

  #onSocket(event: SocketEvent): void {
    switch (event.type) {
      case 'opened':
        this.#tap?.opened();
        break;
      case 'text':
        this.#tap?.received(event.text);
        break;
      case 'binary':
        this.#tap?.receivedBinary();
        break;
      case 'pong':
        this.#aheadBytes += AHEAD_BYTES.perPong;
        break;
      case 'writable':
        this.#options.onEvent(event);
        return;
      case 'closed':
        this.#reportClose(event.close.code === 1006 ? 'network' : 'service', event.close);
    }
    this.#dispatch(event);
  }

  #startTimer({ timer, delayMs }: Extract<SessionEffect, { type: 'startTimer' }>): void {
    this.#timers.get(timer)?.();
    const onTime = () => this.#dispatch({ type: 'timeout', timer });
    this.#timers.set(timer, this.#options.settings.clock.schedule(delayMs, onTime));
  }

  #reportClose(by: TappedClose['by'], { code, reason, httpStatus }: Omit<SocketClose, 'opened'>): void {
    this.#tap?.closed({ by, code, reason, ...(httpStatus !== undefined && { httpStatus }) });
    this.#tap = undefined;
  }

  #close(): void {
    this.#hasEnded = true;
    this.#reportClose('client', { code: 1000, reason: '' });
    for (const cancel of this.#timers.values()) cancel();
    this.#socket?.close();
  }
}
