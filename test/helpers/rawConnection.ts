import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a bare TCP connection to a service, for requests that no proper client sends. */
export async function rawConnection(service: { readonly port: number }): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Resolves when a connection has closed, also by an error. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise(resolve => socket.once('close', () => resolve()));
}

/** Sends a request unchanged, and resolves with all data until the service closes the connection. */
export async function rawRequest(service: { readonly port: number }, ...lines: string[]): Promise<string> {
  const socket = await rawConnection(service);
  let answer = '';
  socket.on('data', data => {
    answer += data.toString('latin1');
  });
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await closeOf(socket);
  return answer;
}

/** The lines of a WebSocket handshake. */
export function handshake(path: string, ...more: string[]): string[] {
  return [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...more,
  ];
}

/** The JSON body of a raw answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
export function bodyOf(answer: string): any {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
}

const TEXT = 0x81;
const BINARY = 0x82;
const PING = 0x89;

/** One frame of a client, at most 64 kB, masked with zeros. */
export function clientFrame(kind: 'text' | 'binary' | 'ping', payload: Uint8Array): Buffer {
  const opcode = { text: TEXT, binary: BINARY, ping: PING }[kind];
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...length, 0, 0, 0, 0]), payload]);
}
