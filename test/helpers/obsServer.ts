import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** An input of the server. */
interface ObsInput {
  readonly kind: string;
  settings: Record<string, unknown>;
  isMuted: boolean;
  /** True while it is visible in the scene of the program. */
  isActive: boolean;
}

interface Request {
  readonly requestId: string;
  readonly requestType: string;
  readonly requestData?: Record<string, unknown>;
}

/** A refusal of a request, by the status codes of the protocol. */
class Refusal extends Error {
  readonly code: number;

  constructor(code: number, comment: string) {
    super(comment);
    this.code = code;
  }
}

const OUTPUTS = 64;
const INPUTS = 8;
const INPUT_ACTIVE_STATE = 131_072;
/** Name of the one scene, and kinds of inputs without sound. */
const SCENE = 'Scene';
const SILENT_KINDS = /^(?:text|color|image)_/;
/** `CAPTION_LINE_BYTES` of libobs. */
const CAPTION_BYTES = 128;

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

export interface ObsServerOptions {
  readonly password?: string;
  /** Port; by default a free one. */
  readonly port?: number;
}

/**
 * A server that follows the protocol of obs-websocket 5: the handshake with its challenge, requests with their status codes, and
 * events by subscription.
 */
export class ObsServer {
  readonly inputs = new Map<string, ObsInput>();
  /** Texts of `SetInputSettings`, and captions as libobs keeps them, in order of arrival. */
  readonly texts: string[] = [];
  readonly captions: string[] = [];
  /** Times of the captions by the system's clock. */
  readonly captionTimes: number[] = [];
  /** Close codes of the connections that have ended. */
  readonly closeCodes: number[] = [];
  /** Number of clients that have identified themselves. */
  identified = 0;
  isStreaming = false;
  /** True when requests are not answered, as after a standby of the machine. */
  isFrozen = false;
  readonly #server: WebSocketServer;
  readonly #password: string | undefined;
  readonly #clients = new Map<WebSocket, number>();

  private constructor(server: WebSocketServer, password: string | undefined) {
    this.#server = server;
    this.#password = password;
    server.on('connection', socket => this.#accept(socket));
  }

  static async start({ password, port = 0 }: ObsServerOptions = {}): Promise<ObsServer> {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port,
      handleProtocols: protocols => (protocols.has('obswebsocket.json') ? 'obswebsocket.json' : false),
    });
    await once(server, 'listening');
    return new ObsServer(server, password);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise(resolve => this.#server.close(resolve));
  }

  /** Reads nothing more of the present connections, not even that they are closed. */
  stall(): void {
    for (const socket of this.#server.clients) socket.pause();
  }

  /** Returns the text that a text source shows. */
  textOf(name: string): unknown {
    return this.inputs.get(name)?.settings.text;
  }

  addInput(name: string, kind: string, settings: Record<string, unknown> = {}): void {
    this.inputs.set(name, { kind, settings, isMuted: false, isActive: true });
    this.#emit(INPUTS, 'InputCreated', { inputName: name, inputKind: kind });
  }

  setMuted(name: string, isMuted: boolean): void {
    this.inputs.get(name)!.isMuted = isMuted;
    this.#emit(INPUTS, 'InputMuteStateChanged', { inputName: name, inputMuted: isMuted });
  }

  setActive(name: string, isActive: boolean): void {
    this.inputs.get(name)!.isActive = isActive;
    this.#emit(INPUT_ACTIVE_STATE, 'InputActiveStateChanged', { inputName: name, videoActive: isActive });
  }

  setStreaming(isStreaming: boolean): void {
    for (const state of isStreaming ? ['STARTING', 'STARTED'] : ['STOPPING', 'STOPPED']) {
      this.isStreaming = state === 'STARTED';
      const outputState = `OBS_WEBSOCKET_OUTPUT_${state}`;
      this.#emit(OUTPUTS, 'StreamStateChanged', { outputActive: this.isStreaming, outputState });
    }
  }

  #emit(eventIntent: number, eventType: string, eventData: object): void {
    for (const [socket, subscriptions] of this.#clients) {
      if (subscriptions & eventIntent) send(socket, 5, { eventType, eventIntent, eventData });
    }
  }

  #accept(socket: WebSocket): void {
    const salt = randomBytes(32).toString('base64');
    const challenge = randomBytes(32).toString('base64');
    const expected = this.#password && sha256(sha256(this.#password + salt) + challenge);
    socket.on('close', code => {
      this.closeCodes.push(code);
      this.#clients.delete(socket);
    });
    socket.on('message', data => {
      const { op, d } = JSON.parse(String(data));
      if (this.isFrozen) return;
      if (op === 1) this.#identify(socket, d, expected);
      else if (!this.#clients.has(socket)) socket.close(4007, 'You are not identified.');
      else if (op === 6) this.#respond(socket, d);
      else socket.close(4006, 'Unknown operation code.');
    });
    const authentication = expected && { challenge, salt };
    send(socket, 0, { obsWebSocketVersion: '5.5.4', rpcVersion: 1, authentication });
  }

  #identify(
    socket: WebSocket,
    data: { authentication?: string; eventSubscriptions?: number },
    expected: string | undefined,
  ): void {
    if (expected && data.authentication !== expected) {
      socket.close(4009, 'Authentication failed.');
      return;
    }
    this.identified++;
    this.#clients.set(socket, data.eventSubscriptions ?? 2047);
    send(socket, 2, { negotiatedRpcVersion: 1 });
  }

  #respond(socket: WebSocket, { requestId, requestType, requestData = {} }: Request): void {
    const answer = { requestId, requestType };
    try {
      const responseData = this.#perform(requestType, requestData);
      send(socket, 7, { ...answer, requestStatus: { result: true, code: 100 }, responseData });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message: comment } = error;
      send(socket, 7, { ...answer, requestStatus: { result: false, code, comment } });
    }
  }

  #perform(type: string, data: Record<string, unknown>): object | undefined {
    switch (type) {
      case 'GetVersion':
        return { obsVersion: '31.0.0', obsWebSocketVersion: '5.5.4', rpcVersion: 1 };
      case 'GetStreamStatus':
        return { outputActive: this.isStreaming };
      case 'GetInputMute':
        return { inputMuted: this.#sound(data.inputName).isMuted };
      case 'GetSourceActive':
        return { videoActive: this.#input(data.sourceName).isActive };
      case 'GetInputSettings': {
        const { kind, settings } = this.#input(data.inputName);
        return { inputKind: kind, inputSettings: settings };
      }
      case 'SetInputSettings': {
        const input = this.#input(data.inputName);
        const settings = data.inputSettings as Record<string, unknown>;
        input.settings = { ...(data.overlay !== false && input.settings), ...settings };
        this.texts.push(String(settings.text));
        return undefined;
      }
      case 'SendStreamCaption':
        this.#caption(data.captionText);
        return undefined;
      default:
        throw new Refusal(204, 'Your request type is not valid.');
    }
  }

  #input(name: unknown): ObsInput {
    if (typeof name !== 'string') throw new Refusal(300, 'Your request is missing the `inputName` field.');
    if (name === SCENE) throw new Refusal(602, 'The specified source is not an input.');
    const input = this.inputs.get(name);
    if (!input) throw new Refusal(600, `No source was found by the name of \`${name}\`.`);
    return input;
  }

  #sound(name: unknown): ObsInput {
    const input = this.#input(name);
    if (SILENT_KINDS.test(input.kind)) throw new Refusal(604, 'The specified input does not support audio.');
    return input;
  }

  #caption(text: unknown): void {
    if (typeof text !== 'string') throw new Refusal(300, 'Your request is missing the `captionText` field.');
    if (!this.isStreaming) throw new Refusal(501, '');
    this.captions.push(Buffer.from(text).subarray(0, CAPTION_BYTES).toString());
    this.captionTimes.push(performance.now());
  }
}

function send(socket: WebSocket, op: number, d: object): void {
  socket.send(JSON.stringify({ op, d }));
}

/** Starts a server that ends with the test. */
export async function startObs(options: ObsServerOptions = {}): Promise<ObsServer> {
  const obs = await ObsServer.start(options);
  onTestFinished(() => obs.stop());
  return obs;
}
