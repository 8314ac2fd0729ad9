import { request } from 'node:http';
import { join } from 'node:path';
import { ADMIN_SOCKET_NAME } from '../../src/protocol/admin.ts';

export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
  json(): any;
}

/** Repeats a request as long as its work goes on, and returns the last answer. */
export async function settled<A extends { readonly status: number }>(call: () => Promise<A>): Promise<A> {
  let answer = await call();
  while (answer.status === 202) answer = await call();
  return answer;
}

/** One request over the admin socket of a data directory; the path is given in full. */
export function overSocket(
  dataDirectory: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<AdminAnswer> {
  return new Promise((resolve, reject) => {
    const socketPath = join(dataDirectory, ADMIN_SOCKET_NAME);
    const sent = request({ socketPath, path, method, agent: false, ...(body !== undefined && { headers }) });
    sent.on('error', reject);
    sent.on('response', response => {
      let text = '';
      response.on('data', data => {
        text += data;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text, json: () => JSON.parse(text) }));
    });
    sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  });
}
