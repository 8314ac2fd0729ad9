import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE, type CloseRule, closeReason, END_OF_STREAM } from '../../src/protocol/closeCodes.ts';

/** One stream as a service sees it. */
export class StreamPeer {
  readonly socket: WebSocket;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly frames: Buffer[] = [];
  readonly texts: string[] = [];
  /** Settles when the connection has ended, with its close code. */
  readonly closed: Promise<number>;
  /** The bare connection below the WebSocket. */
  readonly tcp: Socket;

  constructor(socket: WebSocket, request: IncomingMessage) {
    const { pathname, searchParams } = new URL(request.url ?? '', 'ws://localhost');
    this.socket = socket;
    this.tcp = request.socket;
    this.path = pathname;
    this.query = searchParams;
    this.headers = request.headers;
    this.closed = once(socket, 'close').then(([code]) => code as number);
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.frames.push(data);
      else this.texts.push(data.toString());
    });
  }

  get audio(): Buffer {
    return Buffer.concat(this.frames);
  }

  /** Waits for so many bytes of audio. */
  async bytes(count: number): Promise<Buffer> {
    while (this.audio.length < count) await once(this.socket, 'message');
    return this.audio;
  }

  async endOfStream(): Promise<void> {
    while (!this.texts.includes(END_OF_STREAM)) await once(this.socket, 'message');
  }

  say(...messages: readonly unknown[]): void {
    for (const message of messages) {
      this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    }
  }

  close(rule: CloseRule): void {
    this.socket.close(rule.code, closeReason(rule));
  }
}

/** A service that does as the test says, on a port of its own. */
export class StreamService {
  readonly url: string;
  /** Flags of commands that use the service. */
  readonly args: readonly string[];
  readonly peers: StreamPeer[] = [];
  readonly #server: Server;
  readonly #tcp = new Set<Socket>();

  constructor(server: Server, behave: (peer: StreamPeer) => unknown) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.args = ['--url', this.url, '--token', 'secret-token'];
    server.on('connection', socket => this.#tcp.add(socket));
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      const peer = new StreamPeer(socket, request);
      this.peers.push(peer);
      behave(peer);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#tcp) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** @param onRequest answers HTTP requests, which have no answer without it */
export async function startStreamService(
  behave: (peer: StreamPeer) => unknown = polite,
  onRequest?: RequestListener,
): Promise<StreamService> {
  const server = createServer(onRequest);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return new StreamService(server, behave);
}

export const connectedMessage = { type: 'connected', id: 'session1' };

export function partialMessage(value: string, ts: number, endTs: number) {
  return { type: 'partial', ts, end_ts: endTs, elements: [{ type: 'text', value }] };
}

export function finalMessage(value: string, ts: number, endTs: number) {
  return { type: 'final', ts, end_ts: endTs, elements: [{ type: 'text', value, ts, end_ts: endTs }] };
}

/** Closes as the interface has it when the audio has ended. */
export async function closeAtEnd(peer: StreamPeer): Promise<void> {
  await peer.endOfStream();
  peer.close(CLOSE.endOfInput);
}

/** Says that it is connected, then ends as it should. */
export async function polite(peer: StreamPeer): Promise<void> {
  peer.say(connectedMessage);
  await endPolitely(peer);
}

/** After EOS says one final, then closes as the interface has it. */
export async function endPolitely(peer: StreamPeer): Promise<void> {
  await peer.endOfStream();
  peer.say(finalMessage('done', 0, 1));
  peer.close(CLOSE.endOfInput);
}
