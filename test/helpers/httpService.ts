import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { openServer } from './loopbackServer.ts';

/** A request as it arrived. */
export interface TakenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
  json(): any;
}

export interface GivenAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless there is a text or there are bytes. */
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
}

/** A server that reads each request completely and answers by a function of the test; closed with the test. */
export interface HttpService {
  readonly url: string;
  readonly requests: readonly TakenRequest[];
  close(): Promise<void>;
}

export async function startHttpService(
  answer: (request: TakenRequest) => GivenAnswer | Promise<GivenAnswer>,
  { port = 0 }: { readonly port?: number } = {},
): Promise<HttpService> {
  const requests: TakenRequest[] = [];
  const server = createServer(async (request, response) => {
    const taken = await take(request);
    requests.push(taken);
    const { status = 200, headers = {}, json, text = JSON.stringify(json), bytes } = await answer(taken);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes ?? text);
  });
  const running = await openServer(server, () => server.closeAllConnections(), port);
  const close = async () => running[Symbol.asyncDispose]();
  onTestFinished(close);
  return { url: running.url, requests, close };
}

async function take(request: IncomingMessage): Promise<TakenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = '', url = '', headers } = request;
  return { method, url, headers, body, json: () => JSON.parse(body.toString()) };
}
