import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesPerFrame } from '../../../audio/format/format.ts';
import { CLOSE, closeReason } from '../../../protocol/closeCodes.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../../protocol/interfaceNames.ts';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import { answerJson } from '../../http/answerOnSocket.ts';
import { problemOfError } from '../../http/httpApp.ts';
import type { Handshake } from '../../live/streaming.ts';
import { invalidParameters, ProblemError } from '../../problems.ts';
import type { RoutesOptions } from '../../routes.ts';
import { openInnerSession, problemOfClose, type SessionClose } from '../innerClient.ts';
import { type LiveOptions, liveOptions, sessionQuery } from './listenOptions.ts';
import { deepgramError, listenToken } from './problems.ts';
import { channelSplitter, createTrack, type Track } from './track.ts';

/** Milliseconds without any message after which a client is gone. */
const IDLE_MS = 10_000;
/** Bytes of a message: unlike those of our own interface, messages are assembled in memory. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Maximum bytes of a text message; known messages are short. */
const MAX_TEXT_BYTES = 1000;

/** Milliseconds for the client to answer a close. */
const CLOSE_TIMEOUT_MS = 5000;

const NOTHING = new Uint8Array(0);

/** Codes and names of closes by the code of ours; 1012 is a restart in the registry of IANA. */
const CLOSES: Readonly<Record<number, readonly [code: number, name: string]>> = {
  [CLOSE.badRequest.code]: [1008, 'DATA-0000'],
  [CLOSE.outOfCredit.code]: [1008, 'ASR_PAYMENT_REQUIRED'],
  [CLOSE.unauthorized.code]: [1008, 'INVALID_AUTH'],
  [CLOSE.messageTooBig.code]: [1009, 'DATA-0001'],
  [CLOSE.shuttingDown.code]: [1012, 'NET-0000'],
  [CLOSE.noInstance.code]: [1012, 'NET-0000'],
};

/**
 * Returns a function that serves the clients of Deepgram's live interface. Few of them show why they were refused, so the
 * reason is logged.
 */
export function serveListeners(context: RoutesOptions, logger: FastifyBaseLogger) {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: Math.min(context.messageBytes, MAX_MESSAGE_BYTES),
    // Missing in the type definitions.
    closeTimeout: CLOSE_TIMEOUT_MS,
    // Never the token, which a browser sends as a protocol too.
    handleProtocols: (protocols: Set<string>) =>
      ['token', 'bearer'].find(name => protocols.has(name)) ?? [...protocols][0]!,
  };
  const webSockets = new WebSocketServer(options);
  return (handshake: Handshake): void => {
    try {
      const { 'sec-websocket-key': key = '' } = handshake.request.headers;
      // Checked before a session begins.
      if (!/^[+/\w]{22}==$/.test(key)) throw invalidParameters({ 'sec-websocket-key': ['is not valid'] });
      const query = new URLSearchParams(handshake.request.url!.replace(/^[^?]*/, ''));
      new Listener(context, handshake, liveOptions(query, context.recognizer.capabilities)).begin(webSockets);
    } catch (error) {
      const { err_msg: reason } = refuse(handshake, problemOfError(error));
      const { requestId: request, address } = handshake;
      logger.info({ request, address, reason }, 'stream refused');
    }
  };
}

function refuse({ socket, requestId }: Handshake, problem: ProblemError) {
  const answer = deepgramError(problem, requestId);
  answerJson(socket, { type: 'application/json', ...answer });
  return answer.json;
}

/** A client of the live interface, from its handshake, which is answered when its session has begun, to its close. */
class Listener {
  readonly #context: RoutesOptions;
  readonly #handshake: Handshake;
  readonly #options: LiveOptions;
  readonly #tracks: readonly Track[];
  readonly #split: (audio: Buffer) => readonly Uint8Array[];
  readonly #hash = createHash('sha256');
  #bytes = 0;
  /** Bytes at the last request to end the utterance. */
  #finalizedBytes = 0;
  #firstMs = 0;
  #socket: WebSocket | undefined;
  /** True once no more messages are taken. */
  #hasEnded = false;
  #queue = Promise.resolve();
  #waiting = 0;
  #cancelIdle = () => {};
  #accept = () => {};
  /** Sessions that have not begun, and those that have not ended. */
  #absent: number;
  #running: number;

  constructor(context: RoutesOptions, handshake: Handshake, options: LiveOptions) {
    this.#context = context;
    this.#handshake = handshake;
    this.#options = options;
    const { tracks: count, contentType } = options;
    this.#absent = count;
    this.#running = count;
    this.#tracks = Array.from({ length: count }, (_, index) =>
      createTrack({
        options,
        requestId: handshake.requestId,
        channel: [index, count],
        model: context.recognizer.name,
        clock: context.clock,
        // Counts only audio that arrived no faster than it was spoken.
        heardSeconds: () => Math.min(this.#seconds ?? 0, (context.clock.now() - this.#firstMs) / 1000),
        post: message => this.#post(message),
        onConnected: () => --this.#absent === 0 && this.#accept(),
        onClose: close => this.#onClose(close),
        unsentBytes: () => this.#socket?.bufferedAmount ?? 0,
      }),
    );
    this.#split =
      contentType.kind === 'raw' && count > 1 ? channelSplitter(contentType.format) : audio => [audio];
  }

  /** Opens the sessions. */
  begin(webSockets: WebSocketServer): void {
    const { request, head, requestId, address } = this.#handshake;
    const socket = this.#handshake.socket as Socket;
    // The HTTP server would drop it when idle.
    socket.setTimeout(0);
    // A waiting client sends nothing; reading detects that it has gone.
    const drop = () => void socket.destroy();
    socket.on('error', drop).on('data', drop).on('end', drop);
    const stop = () => this.#stop();
    socket.once('close', stop);
    this.#accept = () => {
      socket.off('data', drop).off('end', drop).off('close', stop);
      webSockets.once('headers', lines => void lines.push(`dg-request-id: ${requestId}`));
      webSockets.handleUpgrade(request, socket, head, opened => this.#serve(opened));
    };
    const parameters = sessionQuery(this.#options);
    parameters.set(ACCESS_TOKEN_PARAMETER, listenToken(request.headers) ?? '');
    const { headers } = request;
    for (const { client } of this.#tracks) {
      // A refused session has already ended the others.
      if (this.#running === 0) return;
      openInnerSession(
        client,
        { parameters, address },
        { context: this.#context, request: { id: requestId, headers } },
      );
    }
  }

  #serve(socket: WebSocket): void {
    this.#socket = socket;
    // The library closes the connection; if it were dropped at once, the client could not read the reason.
    socket.on('error', () => this.#stop());
    // The messages before it are taken first.
    socket.on('close', () => void this.#queue.then(() => this.#stop()));
    socket.on('message', (data: Buffer, isBinary) => this.#receive(socket, data, isBinary));
    this.#awaitMessage();
  }

  #post(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** Seconds of audio so far; undefined for a container. */
  get #seconds(): number | undefined {
    const { contentType } = this.#options;
    if (contentType.kind !== 'raw') return undefined;
    return this.#bytes / bytesPerFrame(contentType.format) / contentType.format.sampleRate;
  }

  #awaitMessage(): void {
    const why = `neither audio nor a text message for ${IDLE_MS / 1000} s`;
    this.#cancelIdle = this.#context.clock.schedule(IDLE_MS, () => this.#end([1011, 'NET-0001'], why));
  }

  /** Takes a message when those before it are taken. Nothing else is read meanwhile. */
  #receive(socket: WebSocket, data: Buffer, isBinary: boolean): void {
    this.#cancelIdle();
    this.#waiting++;
    socket.pause();
    const taken = this.#queue.then(() => (this.#hasEnded ? undefined : this.#take(data, isBinary)));
    this.#queue = taken.then(() => {
      if (--this.#waiting > 0) return;
      socket.resume();
      if (!this.#hasEnded) this.#awaitMessage();
    });
  }

  #take(data: Buffer, isBinary: boolean): Promise<void> | void {
    if (isBinary) return data.length === 0 ? this.#endAudio() : this.#hear(data);
    const message = data.length <= MAX_TEXT_BYTES ? jsonOf(String(data)) : undefined;
    switch ((message as { readonly type?: unknown } | null | undefined)?.type) {
      case 'KeepAlive':
        // The session waits for audio anew.
        return this.#write(this.#tracks.map(() => NOTHING));
      case 'Finalize':
        return this.#finalize();
      case 'CloseStream':
        return this.#endAudio();
      default:
        this.#end([1008, 'DATA-0000'], 'a text message must be KeepAlive, Finalize or CloseStream');
    }
  }

  #hear(audio: Buffer): Promise<void> {
    if (this.#bytes === 0) this.#firstMs = this.#context.clock.now();
    this.#bytes += audio.length;
    this.#hash.update(audio);
    return this.#write(this.#split(audio));
  }

  async #write(pieces: readonly Uint8Array[]): Promise<void> {
    await Promise.all(this.#tracks.map(({ client }, index) => client.write(pieces[index]!)));
  }

  /** Ends the utterance; resolves when its final has been sent. */
  async #finalize(): Promise<void> {
    const hasAudio = this.#bytes !== this.#finalizedBytes;
    this.#finalizedBytes = this.#bytes;
    await Promise.all(this.#tracks.map(track => track.finalize(hasAudio)));
  }

  #endAudio(): void {
    this.#hasEnded = true;
    for (const { client } of this.#tracks) client.end();
  }

  #onClose(close: SessionClose): void {
    // When one session fails, the others end too.
    if (this.#running === 0) return;
    if (close.reason === CLOSE.endOfInput.reason && this.#socket) {
      if (--this.#running === 0) this.#endDone();
      return;
    }
    this.#running = 0;
    if (this.#socket) this.#end(CLOSES[close.code] ?? [1011, 'NET-0000'], close.reason);
    else {
      refuse(this.#handshake, problemOfClose(close) ?? new ProblemError('internal'));
      this.#stop();
    }
  }

  #endDone(): void {
    this.#post({
      type: 'Metadata',
      transaction_key: 'deprecated',
      request_id: this.#handshake.requestId,
      sha256: this.#hash.digest('hex'),
      created: new Date(this.#context.clock.wallTime()).toISOString(),
      duration: wireSeconds(this.#seconds ?? this.#tracks[0]!.voice.endTs),
      channels: this.#tracks.length,
    });
    this.#end([1000, ''], '');
  }

  #end([code, reason]: readonly [number, string], why: string): void {
    this.#socket?.close(code, closeReason({ code, reason, retry: false }, why));
    this.#stop();
  }

  #stop(): void {
    this.#hasEnded = true;
    this.#cancelIdle();
    for (const { client } of this.#tracks) client.terminate();
  }
}
