import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebFile } from '../../../src/engines/models/catalogue.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';

/** Answers one request its own way; `serve()` is the proper way. */
export type Answer = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void;

/** A server of one file. */
export interface FileServer {
  readonly file: WebFile;
  /** The `range` and `if-range` of each request; empty where it had none. */
  readonly asked: readonly { readonly range: string; readonly ifRange: string }[];
  /** The current content, under another tag. */
  replace(content: Buffer): void;
}

export const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Serves a file in ranges; the first requests are answered by `answers`, one each. */
export async function fileServer(
  answers: readonly Answer[] = [],
  original: Buffer = randomBytes(300_000),
): Promise<FileServer> {
  let content = original;
  const asked: { range: string; ifRange: string }[] = [];
  const { url } = await httpServer((request, response) => {
    const { range = '', 'if-range': ifRange = '' } = request.headers;
    const answer = answers[asked.length];
    asked.push({ range, ifRange: String(ifRange) });
    const serve = () => serveRange(content, range, String(ifRange), response);
    if (answer) answer(request, response, serve);
    else serve();
  });
  return {
    asked,
    file: {
      name: 'model.onnx',
      url: `${url}/model.onnx`,
      bytes: original.length,
      sha256: sha256(original),
    },
    replace(next) {
      content = next;
    },
  };
}

export const tagOf = (content: Buffer) => `"${sha256(content)}"`;

function serveRange(content: Buffer, range: string, ifRange: string, response: ServerResponse): void {
  const etag = tagOf(content);
  const start = ifRange === '' || ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0) : 0;
  response.setHeader('etag', etag);
  if (start >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  response.setHeader('content-length', content.length - start);
  if (start > 0) {
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${start}-${content.length - 1}/${content.length}`);
  }
  response.end(content.subarray(start));
}

/** Promises all of the content, sends its beginning and cuts the connection. */
export function cutAfter(content: Buffer, bytes: number): Answer {
  return (_, response) => {
    response.writeHead(200, { etag: tagOf(content), 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => response.destroy());
  };
}

export const status =
  (code: number): Answer =>
  (_, response) => {
    response.writeHead(code).end('no');
  };
