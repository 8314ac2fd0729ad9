import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesPerFrame } from '../../../audio/format/format.ts';
import { CLOSE, closeReason } from '../../../protocol/closeCodes.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../../protocol/interfaceNames.ts';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import { answerJson } from '../../http/answerOnSocket.ts';
import { problemOfError } from '../../http/httpApp.ts';
import { FLUSH_EVENT, FLUSHED_EVENT } from '../../live/inbox.ts';
import type { Handshake } from '../../live/streaming.ts';
import { ProblemError } from '../../problems.ts';
import type { DoorContext } from '../doors.ts';
import { InnerClient, problemOfClose, type SessionClose } from '../innerClient.ts';
import { type LiveOptions, liveOptions, sessionQuery } from './listenOptions.ts';
import { listenToken } from './listenToken.ts';
import { deepgramError } from './problems.ts';
import { modelInfo } from './results.ts';
import { createSplitter } from './splitter.ts';
import { Voice } from './voice.ts';

/** Milliseconds without any message after which a client is gone. */
const IDLE_MS = 10_000;
/** Bytes of a message: unlike those of our own interface, messages are assembled in memory. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Bytes of a text message; those that are known have few. */
const MAX_TEXT_BYTES = 1000;

const NOTHING = new Uint8Array(0);

/** Code and name of the closes that have others in Deepgram's interface, by the code of ours. */
const CLOSES: Readonly<Record<number, readonly [code: number, name: string]>> = {
  [CLOSE.badRequest.code]: [1008, 'DATA-0000'],
  [CLOSE.outOfCredit.code]: [1008, 'ASR_PAYMENT_REQUIRED'],
  [CLOSE.unauthorized.code]: [1008, 'INVALID_AUTH'],
  [CLOSE.messageTooBig.code]: [1009, 'DATA-0001'],
  // RFC 6455 has no code for a restart; the registry of IANA does.
  [CLOSE.shuttingDown.code]: [1012, 'NET-0000'],
  [CLOSE.noInstance.code]: [1012, 'NET-0000'],
};
const INTERNAL = [1011, 'NET-0000'] as const;

/** Returns a function that serves the clients of Deepgram's live interface. */
export function serveListeners(context: DoorContext): (handshake: Handshake) => void {
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: Math.min(context.messageBytes, MAX_MESSAGE_BYTES),
    // Never the token, which a browser sends as a protocol too.
    handleProtocols: protocols => ['token', 'bearer'].find(name => protocols.has(name)) ?? [...protocols][0]!,
  });
  const requestIds = new WeakMap<IncomingMessage, string>();
  webSockets.on('headers', (headers, request) => headers.push(`dg-request-id: ${requestIds.get(request)}`));
  return handshake => {
    const { request, requestId } = handshake;
    requestIds.set(request, requestId);
    const query = new URLSearchParams(request.url!.replace(/^[^?]*/, ''));
    try {
      new Listener(context, handshake, liveOptions(query)).begin(webSockets);
    } catch (error) {
      refuse(handshake, problemOfError(error));
    }
  };
}

function refuse({ socket, requestId }: Handshake, problem: ProblemError): void {
  answerJson(socket, { type: 'application/json', ...deepgramError(problem, requestId) });
}

/** One session: the only one of a client, or that of one channel. */
interface Session {
  readonly client: InnerClient;
  readonly voice: Voice;
  onFlushed: () => void;
}

/** A client of the live interface, from its handshake to its close. The handshake is answered when its sessions have begun. */
class Listener {
  readonly #context: DoorContext;
  readonly #handshake: Handshake;
  readonly #options: LiveOptions;
  readonly #sessions: readonly Session[];
  readonly #split: (audio: Uint8Array) => readonly Uint8Array[];
  readonly #hash = createHash('sha256');
  /** Undefined for a container. */
  readonly #bytesPerSecond: number | undefined;
  #bytes = 0;
  #firstMs = 0;
  /** Sessions that have not begun, and those that have not ended. */
  #awaited: number;
  #running: number;
  #isRefused = false;
  /** True once no more audio is taken. */
  #hasEnded = false;
  #socket: WebSocket | undefined;
  /** Messages are taken one after the other. */
  #queue = Promise.resolve();
  #waiting = 0;
  #cancelIdle = () => {};

  constructor(context: DoorContext, handshake: Handshake, options: LiveOptions) {
    this.#context = context;
    this.#handshake = handshake;
    this.#options = options;
    const { contentType, channels, sessions } = options;
    const format = contentType.kind === 'raw' ? { ...contentType.format, channels } : undefined;
    const frameBytes = format && bytesPerFrame(format);
    this.#bytesPerSecond = format && frameBytes && frameBytes * format.sampleRate;
    this.#split = sessions === 1 ? audio => [audio] : createSplitter(channels, frameBytes!);
    this.#awaited = this.#running = sessions;
    this.#sessions = Array.from({ length: sessions }, (_, channel) => this.#createSession(channel));
  }

  /** Opens the sessions. */
  begin(webSockets: WebSocketServer): void {
    const { request, requestId, address } = this.#handshake;
    const socket = this.#handshake.socket as Socket;
    // The HTTP server would drop it when idle.
    socket.setTimeout(0);
    // A client that waits has nothing to say; reading shows that it has gone.
    const drop = () => void socket.destroy();
    socket.on('error', drop).on('data', drop).on('end', drop);
    socket.once('close', () => this.#terminate());
    this.#accept = () => {
      socket.off('data', drop).off('end', drop);
      webSockets.handleUpgrade(request, socket, this.#handshake.head, opened => this.#serve(opened));
    };
    for (const { client } of this.#sessions) {
      const parameters = sessionQuery(this.#options);
      parameters.set(ACCESS_TOKEN_PARAMETER, listenToken(request.headers) ?? '');
      const applicant = { parameters, address };
      this.#context.streaming().serve({ socket: client, connection: client, applicant, requestId }, request);
    }
  }

  #accept = () => {};

  #createSession(channel: number): Session {
    const { sessions: count } = this.#options;
    const { clock, recognizer } = this.#context;
    const voice = new Voice({
      options: this.#options,
      channelIndex: [channel, count],
      metadata: {
        request_id: this.#handshake.requestId,
        model_info: modelInfo(recognizer.name),
        model_uuid: recognizer.name,
      },
      clock,
      heardSeconds: () => this.#heardSeconds(),
      post: message => this.#post(message),
    });
    const client = new InnerClient({
      onEvent: event => {
        if (event.type !== 'connected') return voice.take(event);
        if (--this.#awaited === 0) this.#accept();
      },
      onClose: close => this.#onClose(session, close),
      unsentBytes: () => this.#socket?.bufferedAmount ?? 0,
    });
    const session: Session = { client, voice, onFlushed: () => {} };
    client.on(FLUSHED_EVENT, () => session.onFlushed());
    return session;
  }

  #serve(socket: WebSocket): void {
    this.#socket = socket;
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(socket, data, isBinary));
    this.#awaitMessage();
  }

  #post(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** Seconds of audio that came no faster than it was spoken; 0 for a container. */
  #heardSeconds(): number {
    if (!this.#bytesPerSecond) return 0;
    return Math.min(this.#bytes / this.#bytesPerSecond, (this.#context.clock.now() - this.#firstMs) / 1000);
  }

  #awaitMessage(): void {
    this.#cancelIdle = this.#context.clock.schedule(IDLE_MS, () =>
      this.#end([1011, 'NET-0001'], `neither audio nor a text message for ${IDLE_MS / 1000} s`),
    );
  }

  /** Takes a message when those before it are taken. Nothing else is read meanwhile. */
  #receive(socket: WebSocket, data: Buffer, isBinary: boolean): void {
    this.#cancelIdle();
    this.#waiting++;
    socket.pause();
    this.#queue = this.#queue
      .then(() => this.#take(data, isBinary))
      .then(() => {
        if (--this.#waiting > 0) return;
        socket.resume();
        if (!this.#hasEnded) this.#awaitMessage();
      });
  }

  async #take(data: Buffer, isBinary: boolean): Promise<void> {
    if (this.#hasEnded) return;
    if (isBinary) return data.length === 0 ? this.#endAudio() : this.#hear(data);
    const message = data.length <= MAX_TEXT_BYTES ? jsonOf(String(data)) : undefined;
    switch ((message as { readonly type?: unknown } | null | undefined)?.type) {
      case 'KeepAlive':
        // The session waits for audio anew.
        await Promise.all(this.#sessions.map(({ client }) => client.write(NOTHING)));
        return;
      case 'Finalize':
        await Promise.all(this.#sessions.map(finalize));
        return;
      case 'CloseStream':
        return this.#endAudio();
      default:
        this.#end([1008, 'DATA-0000'], 'a text message must be KeepAlive, Finalize or CloseStream');
    }
  }

  async #hear(audio: Buffer): Promise<void> {
    if (this.#bytes === 0) this.#firstMs = this.#context.clock.now();
    this.#bytes += audio.length;
    this.#hash.update(audio);
    const pieces = this.#split(audio);
    await Promise.all(this.#sessions.map(({ client }, channel) => client.write(pieces[channel]!)));
  }

  #endAudio(): void {
    this.#hasEnded = true;
    for (const { client } of this.#sessions) client.end();
  }

  #onClose(session: Session, close: SessionClose): void {
    session.voice.close();
    session.onFlushed();
    this.#running--;
    if (!this.#socket) this.#refuse(close);
    else if (close.code !== CLOSE.endOfInput.code) this.#end(CLOSES[close.code] ?? INTERNAL, close.reason);
    else if (this.#running === 0) this.#postMetadata();
  }

  #refuse(close: SessionClose): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    refuse(this.#handshake, problemOfClose(close) ?? new ProblemError('internal'));
    this.#terminate();
  }

  #postMetadata(): void {
    const { clock } = this.#context;
    this.#post({
      type: 'Metadata',
      transaction_key: 'deprecated',
      request_id: this.#handshake.requestId,
      sha256: this.#hash.digest('hex'),
      created: new Date(clock.wallTime()).toISOString(),
      duration: this.#bytesPerSecond
        ? wireSeconds(this.#bytes / this.#bytesPerSecond)
        : Math.max(...this.#sessions.map(({ voice }) => voice.endTs)),
      channels: this.#options.channels,
    });
    this.#end([1000, ''], '');
  }

  /** Closes the WebSocket, and ends the sessions that run. */
  #end([code, reason]: readonly [number, string], why: string): void {
    this.#hasEnded = true;
    this.#cancelIdle();
    this.#socket?.close(code, closeReason({ code, reason, retry: false }, why));
    this.#terminate();
  }

  #terminate(): void {
    this.#hasEnded = true;
    this.#cancelIdle();
    for (const { client } of this.#sessions) client.terminate();
  }
}

/** Ends the utterance of a session; resolves when its final has been sent. */
async function finalize(session: Session): Promise<void> {
  const { client, voice } = session;
  if (client.readyState !== client.OPEN) return;
  voice.beginFinalizing();
  const flushed = new Promise<void>(resolve => {
    session.onFlushed = resolve;
  });
  client.emit(FLUSH_EVENT);
  await flushed;
  voice.endFinalizing();
}
