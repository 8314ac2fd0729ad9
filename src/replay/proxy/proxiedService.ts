/** The service behind a proxy: each request goes there, whatever host it names. */
import { type ClientRequest, type IncomingMessage, request as plainRequest, ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { InvalidArgumentError } from '../../base/errors.ts';
import { serviceAddress } from '../../client/serviceAccess.ts';
import { PROBLEM_MEDIA_TYPE, STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { answerHandshake, problemText } from '../play/server/rawTcp.ts';

/** Headers of one connection, not of what it carries (RFC 9110, section 7.6.1), and of compression, which hides messages. */
const OWN_HEADERS = /^(host|connection|keep-alive|upgrade|te|trailer|proxy-.*|sec-websocket-extensions)$/i;

export class ProxiedService {
  readonly #address: URL;

  /** @throws InvalidArgumentError for an address that cannot be used */
  constructor(url: string | URL) {
    this.#address = serviceAddress(url, 'http');
    const { username, password, search, pathname } = this.#address;
    if (username || password || search) {
      throw new InvalidArgumentError(
        'The service address must have no token and no query: clients send them.',
      );
    }
    this.#address.pathname = pathname.replace(new RegExp(`(${STREAM_PATH})?/?$`), '');
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    const forwarded = this.#forward(request);
    if (!forwarded) {
      answer(response, 400);
      return;
    }
    forwarded.on('response', received => pass(received, response));
    forwarded.on('error', () => answer(response, 502));
    response.on('close', () => forwarded.destroy());
    pipeline(request, forwarded, () => {});
  }

  /** Passes a handshake, and the connection to `take` when the service accepts it. */
  upgrade(request: IncomingMessage, client: Socket, take: (service: Socket, head: Buffer) => void): void {
    const forwarded = this.#forward(
      request,
      'Connection',
      'Upgrade',
      'Upgrade',
      request.headers.upgrade ?? '',
    );
    if (!forwarded) {
      answerHandshake(client, 400);
      return;
    }
    const onClose = () => void forwarded.destroy();
    client.on('close', onClose);
    forwarded.on('error', () => client.writable && answerHandshake(client, 502));
    forwarded.on('response', received => {
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(client);
      response.on('finish', () => client.end());
      pass(received, response);
    });
    forwarded.on('upgrade', ({ rawHeaders }, service: Socket, head) => {
      client.off('close', onClose);
      service.setNoDelay(true);
      service.on('error', () => service.destroy());
      const lines = pairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      const head101 = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
      client.write(`${head101}${lines.join('')}\r\n`, 'latin1');
      take(service, head);
    });
    forwarded.end();
  }

  /** Returns a request to the service; undefined for one that names another host, as to a proxy of the web. */
  #forward(
    { url = '', method, rawHeaders }: IncomingMessage,
    ...more: readonly string[]
  ): ClientRequest | undefined {
    if (!url.startsWith('/')) return undefined;
    const { protocol, host, pathname } = this.#address;
    const path = pathname.replace(/\/$/, '') + url;
    const headers = ['Host', host, ...pairs(rawHeaders).flat(), ...more];
    const send = protocol === 'https:' ? secureRequest : plainRequest;
    return send(this.#address, { method, path, headers, agent: false });
  }
}

/** Returns names and values of headers that pass. */
function pairs(rawHeaders: readonly string[]): readonly (readonly [string, string])[] {
  const all = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  );
  return all.filter(([name]) => !OWN_HEADERS.test(name));
}

function pass(received: IncomingMessage, response: ServerResponse): void {
  response.writeHead(received.statusCode ?? 502, received.statusMessage, pairs(received.rawHeaders).flat());
  pipeline(received, response, () => {});
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': PROBLEM_MEDIA_TYPE }).end(problemText(status));
}
