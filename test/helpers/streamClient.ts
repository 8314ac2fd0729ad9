import { WebSocket } from 'ws';
import { STREAM_PATH } from '../../src/protocol/interfaceNames.ts';
import { TEST_TOKEN } from './testService.ts';

export const RAW_16K = 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A message as the wire has it. */
export interface WireMessage {
  readonly type: string;
  readonly id?: string;
  readonly ts: number;
  readonly end_ts: number;
  readonly speaker_id?: number;
  readonly elements: readonly {
    readonly type: string;
    readonly value: string;
    readonly ts?: number;
    readonly end_ts?: number;
    readonly confidence?: number;
  }[];
}

/** A plain WebSocket client of the stream, which records its messages. */
export interface StreamClient {
  readonly socket: WebSocket;
  readonly messages: readonly WireMessage[];
  readonly opened: Promise<void>;
  /** The session's id; rejects when the session is closed before it is connected. */
  readonly connected: Promise<string>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(data: Int16Array | Uint8Array | string): void;
  /**
   * Sends audio and the end of the stream once the connection is open; resolves with the close.
   *
   * @param pieceLength samples or bytes of each message. Default: all in one
   */
  finish(audio?: Int16Array | Uint8Array, pieceLength?: number): StreamClient['closed'];
  /** Resolves with the first message, past or to come, that a test wants. */
  message(wanted: (message: WireMessage) => boolean): Promise<WireMessage>;
  /** Values of the text elements of all finals, in order. */
  finalWords(): readonly string[];
  finals(): readonly WireMessage[];
}

/** Connects to the stream of a service; parameters that are undefined are left out. */
export function connectStream(service: { readonly url: string }, query: Query = {}): StreamClient {
  const parameters = new URLSearchParams();
  const all: Query = { access_token: TEST_TOKEN, content_type: RAW_16K, ...query };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return clientOf(`${service.url.replace('http', 'ws')}${STREAM_PATH}?${parameters}`);
}

/** Connects to the stream of a service, and waits for the beginning of its session. */
export async function connectedStream(...values: Parameters<typeof connectStream>): Promise<StreamClient> {
  const client = connectStream(...values);
  await client.connected;
  return client;
}

/** Connects to any address. */
export function clientOf(url: string): StreamClient {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const messages: WireMessage[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  socket.on('error', () => {});
  socket.on('message', data => {
    messages.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  const message = (wanted: (message: WireMessage) => boolean) =>
    new Promise<WireMessage>((resolve, reject) => {
      const look = () => {
        const found = messages.find(wanted);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void closed.then(({ code, reason }) => reject(new Error(`closed with ${code} ${reason}`)));
    });
  const connected = message(({ type }) => type === 'connected').then(({ id }) => id!);
  connected.catch(() => {});
  const finals = () => messages.filter(({ type }) => type === 'final');
  const opened = new Promise<void>(resolve => socket.on('open', resolve));
  const send = (data: Int16Array | Uint8Array | string) =>
    socket.send(typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return {
    socket,
    messages,
    opened,
    connected,
    closed,
    send,
    async finish(audio = new Uint8Array(0), pieceLength = audio.length) {
      await opened;
      for (let at = 0; at < audio.length; at += pieceLength) send(audio.subarray(at, at + pieceLength));
      send('EOS');
      return closed;
    },
    message,
    finals,
    finalWords: () =>
      finals().flatMap(({ elements }) =>
        elements.filter(({ type }) => type === 'text').map(({ value }) => value),
      ),
  };
}
