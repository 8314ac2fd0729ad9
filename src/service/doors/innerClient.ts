import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { CLOSE, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { decodeMessage } from '../../protocol/messages.ts';
import type { TranscriptEvent } from '../../transcript/model/events.ts';
import type { Applicant } from '../live/admission.ts';
import type { ClientConnection, ClientSocket, ConnectionSink } from '../live/connection.ts';
import { type ProblemCode, ProblemError, tooManyRequests } from '../problems.ts';
import type { RoutesOptions } from '../routes.ts';

/** The end of a session, as a close of our own interface. */
export interface SessionClose {
  readonly code: number;
  readonly reason: string;
}

export interface InnerClientOptions {
  /** Called with each event of the session. */
  readonly onEvent: (event: TranscriptEvent) => void;
  /** Called once, at the end of the session. */
  readonly onClose: (close: SessionClose) => void;
  /** Returns the bytes that wait for the client of the door; partials are left out when they are too many. */
  readonly unsentBytes: () => number;
}

/** Milliseconds after which a client may try again, when its account has reached its number of streams. */
const STREAM_WAIT_MS = 10_000;

/**
 * A client of a session within the service: it takes the place of the WebSocket and the connection of our own clients, so that a
 * door uses the same sessions.
 */
export class InnerClient extends EventEmitter implements ClientSocket, ClientConnection {
  readonly OPEN = 1;
  readyState: 1 | 3 = 1;
  bytesRead = 0;
  wasOpened = false;
  isHeld = true;
  readonly #options: InnerClientOptions;
  #sink: ConnectionSink | undefined;
  #onRoom = () => {};

  constructor(options: InnerClientOptions) {
    super();
    this.#options = options;
  }

  /** Passes audio to the session. Resolves when the session takes more; after its end, at once. */
  async write(audio: Uint8Array): Promise<void> {
    while (this.isHeld && this.readyState === this.OPEN) {
      await new Promise<void>(resolve => {
        this.#onRoom = resolve;
      });
    }
    this.bytesRead += audio.length;
    this.#sink?.onAudio(audio, true);
  }

  /** Ends the audio. */
  end(): void {
    this.emit('message', END_OF_STREAM);
  }

  /** Ends the session because its client has gone. Idempotent. */
  terminate(): void {
    this.#shut({ code: 1006, reason: '' });
  }

  get bufferedAmount(): number {
    return this.#options.unsentBytes();
  }

  send(text: string): void {
    this.#options.onEvent(decodeMessage(text).event);
  }

  /** The door itself detects whether its client is connected. */
  ping(): void {
    this.bytesRead++;
  }

  close(code: number, reason: string): void {
    this.#shut({ code, reason });
  }

  open(sink: ConnectionSink): void {
    this.#sink = sink;
    this.wasOpened = true;
    this.release();
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    this.#onRoom();
  }

  discard(): void {
    this.#sink = undefined;
    this.wasOpened = true;
    this.release();
  }

  destroy(): void {
    this.terminate();
  }

  #shut(close: SessionClose): void {
    if (this.readyState !== this.OPEN) return;
    this.readyState = 3;
    this.#onRoom();
    this.#options.onClose(close);
    this.emit('close');
  }
}

/**
 * Opens a session for a client of a door.
 *
 * @throws ProblemError `unsupportedApi` in a deployment without streams
 */
export function openInnerSession(
  client: InnerClient,
  applicant: Applicant,
  {
    context,
    request,
  }: {
    readonly context: Pick<RoutesOptions, 'region' | 'streaming'>;
    readonly request: Pick<FastifyRequest, 'id' | 'headers'>;
  },
): void {
  if (!context.region.streaming) throw new ProblemError('unsupportedApi');
  const { id: requestId } = request;
  context.streaming().serve({ socket: client, connection: client, applicant, requestId }, request);
}

/** The problems of closes, by their codes. */
const PROBLEM_OF: Readonly<Record<number, ProblemCode>> = {
  [CLOSE.badRequest.code]: 'invalidParameters',
  [CLOSE.outOfCredit.code]: 'outOfCredit',
  [CLOSE.shuttingDown.code]: 'unavailable',
  [CLOSE.noInstance.code]: 'unavailable',
};

/** Returns the problem of a session that did not end as its client wanted; undefined for one that did. */
export function problemOfClose({ code, reason }: SessionClose): ProblemError | undefined {
  if (reason === CLOSE.endOfInput.reason) return undefined;
  if (code === CLOSE.unauthorized.code) return new ProblemError('unauthorized');
  if (code === CLOSE.tooManyRequests.code) return tooManyRequests(STREAM_WAIT_MS);
  const problem = PROBLEM_OF[code];
  return problem
    ? new ProblemError(problem, { detail: `${reason.replace(/\.$/, '')}.` })
    : new ProblemError('internal');
}
