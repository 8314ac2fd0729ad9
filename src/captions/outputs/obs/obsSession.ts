import {
  EventSubscription,
  type OBSRequestTypes,
  type OBSResponseTypes,
  OBSWebSocket,
  OBSWebSocketError,
} from 'obs-websocket-js/json';
import type { Clock } from '../../../base/clock.ts';
import { messageOf, RxscribeError } from '../../../base/errors.ts';
import { settledWithin, withAbort, withDeadline } from '../../../base/wait/withTimeout.ts';

/** Address of an OBS, and the limits of a connection to it. */
export interface ObsAddress {
  /** Address of the WebSocket server of OBS, such as `ws://127.0.0.1:4455`. */
  readonly url: string;
  readonly password?: string;
  /** Milliseconds for a connection or an answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Close code of obs-websocket for a wrong or missing password. */
const AUTHENTICATION_FAILED = 4009;

/** Events that OBS sends; `All` lacks the frequent ones. */
const EVENTS = EventSubscription.All | EventSubscription.InputActiveStateChanged;

/** Milliseconds for OBS to confirm that the connection is closed, which a dead peer never does. */
const CLOSE_MS = 500;
/** Close code of a peer that is done. */
const NORMAL_CLOSURE = 1000;

/** A client that closes with a code, and whose connection can be ended at once. */
class ObsSocket extends OBSWebSocket {
  async close(clock: Clock): Promise<void> {
    this.socket?.close(NORMAL_CLOSURE);
    await settledWithin(CLOSE_MS, this.disconnect(), clock);
    this.terminate();
  }

  terminate(): void {
    // The declared type is that of browsers, which have no `terminate`.
    (this.socket as { terminate?: () => void } | undefined)?.terminate?.();
  }
}

/** One authenticated connection to OBS. */
export class ObsSession {
  /** Emits the events of OBS, by their names. */
  readonly events: Pick<OBSWebSocket, 'on'>;
  readonly #socket: ObsSocket;
  readonly #address: ObsAddress;
  readonly #ended = new AbortController();

  private constructor(socket: ObsSocket, address: ObsAddress) {
    this.#socket = socket;
    this.events = socket;
    this.#address = address;
    socket.once('ConnectionClosed', () =>
      this.end(new RxscribeError('connection-lost', `OBS at '${hostOf(address)}' closed the connection.`)),
    );
  }

  /**
   * Connects and authenticates.
   *
   * @throws RxscribeError `unreachable`, `unauthorized` or `protocol`; the signal's reason
   */
  static async open(address: ObsAddress, signal?: AbortSignal): Promise<ObsSession> {
    const { url, password, timeoutMs, clock } = address;
    const socket = new ObsSocket();
    const lateError = () => cannotReach(address, `no answer within ${timeoutMs / 1000} s`);
    try {
      await withDeadline({ timeoutMs, clock, lateError, signal }, late =>
        withAbort(socket.connect(url, password, { eventSubscriptions: EVENTS }), late),
      );
    } catch (error) {
      socket.terminate();
      throw error instanceof RxscribeError || signal?.aborted ? error : openError(address, error);
    }
    return new ObsSession(socket, address);
  }

  /** Aborted when the connection has ended; its reason is the error. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Sends a request, and resolves with its answer.
   *
   * @throws OBSWebSocketError when OBS refuses it; RxscribeError `timeout`; the reason of `ended`
   */
  call<Type extends keyof OBSRequestTypes>(
    type: Type,
    data?: OBSRequestTypes[Type],
  ): Promise<OBSResponseTypes[Type]> {
    const { timeoutMs, clock } = this.#address;
    const lateError = () =>
      new RxscribeError(
        'timeout',
        `OBS at '${hostOf(this.#address)}' did not answer within ${timeoutMs / 1000} s.`,
      );
    return withDeadline({ timeoutMs, clock, lateError, signal: this.ended }, signal =>
      withAbort(this.#socket.call(type, data), signal),
    );
  }

  /** Ends requests at once, and closes the connection. Resolves when it is closed. Idempotent. */
  async end(reason: unknown): Promise<void> {
    this.#ended.abort(reason);
    await this.#socket.close(this.#address.clock);
  }
}

/** Returns host and port of an address: the rest may hold secrets. */
function hostOf({ url }: Pick<ObsAddress, 'url'>): string {
  return new URL(url).host;
}

const cannotReach = (address: ObsAddress, reason: string) =>
  new RxscribeError(
    'unreachable',
    `Cannot reach OBS at '${hostOf(address)}': ${reason}. Start OBS, and enable its WebSocket server (Tools menu).`,
  );

function openError(address: ObsAddress, error: unknown): RxscribeError {
  const code = error instanceof OBSWebSocketError ? error.code : undefined;
  const host = hostOf(address);
  if (code === AUTHENTICATION_FAILED) {
    const message =
      address.password === undefined
        ? `OBS at '${host}' requires a password. Set RXSCRIBE_OBS_PASSWORD.`
        : `OBS at '${host}' refused the password.`;
    return new RxscribeError('unauthorized', message, { cause: error });
  }
  // An attempt that failed on several addresses of a host has an empty message.
  const reason = messageOf(error) || 'no connection';
  if (/subprotocol|Unexpected server response/.test(reason) || (code !== undefined && code >= 4000)) {
    const message = `The server at '${host}' is not the WebSocket server of OBS 28 or later: ${reason}.`;
    return new RxscribeError('protocol', message, { cause: error });
  }
  return cannotReach(address, reason.replace(/\.$/, ''));
}
