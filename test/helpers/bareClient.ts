import { WebSocket } from 'ws';
import type { CassetteServer } from '../../src/replay/play/server/playServer.ts';

export interface BareSession {
  /** Received text frames. */
  readonly texts: readonly string[];
  readonly code: number;
  readonly reason: string;
}

export interface BareClientOptions {
  readonly query?: Readonly<Record<string, string>>;
  /** Default: that of the service. */
  readonly token?: string;
  /** Binary frames and texts. */
  readonly send?: readonly (Uint8Array | string)[];
}

export const RAW_8000 = 'audio/x-raw;layout=interleaved;rate=8000;format=S16LE;channels=1';

/** Connects a client that sends all data at once, and resolves with the received texts and the close. */
export async function bareSession(
  { url, token }: Pick<CassetteServer, 'url' | 'token'>,
  options: BareClientOptions = {},
): Promise<BareSession> {
  const address = new URL(url);
  const query = { content_type: RAW_8000, access_token: token, ...options.query };
  if (options.token !== undefined) query.access_token = options.token;
  address.search = new URLSearchParams(query).toString();
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const texts: string[] = [];
  socket.on('error', () => {});
  socket.on('message', data => texts.push(data.toString()));
  socket.on('open', () => {
    for (const data of options.send ?? []) socket.send(data);
  });
  return new Promise(resolve => {
    socket.on('close', (code, reason) => resolve({ texts, code, reason: reason.toString() }));
  });
}
