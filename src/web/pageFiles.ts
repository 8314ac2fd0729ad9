import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RxscribeError } from '../base/errors.ts';

/** The same place from `src` and from `dist`; null in a bundle that is CommonJS, which has no address of its own. */
const DIRECTORY = URL.parse('../../dist/pages/', import.meta.url);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
];

/** Headers of every response of a server of pages. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** The documents of the pages. */
export type PageName = 'captions' | 'operator' | 'desk';

interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  readonly zipped: Buffer;
}

/** A successful response with a file of the pages. */
export interface PageResponse {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

/** Built files by their path, such as `assets/captions-D2fC.js`. */
type PageFiles = ReadonlyMap<string, PageFile>;

let files: PageFiles | undefined;

/**
 * Reads the built pages, once in a process.
 *
 * @throws RxscribeError `unreadable-input` when they are not built
 */
export function readPageFiles(): PageFiles {
  files ??= new Map(pathsOf().map(path => [path.replaceAll('\\', '/'), readPageFile(path)]));
  if (files.has('captions.html')) return files;
  files = undefined;
  throw notBuilt('captions');
}

function pathsOf(): readonly string[] {
  if (!DIRECTORY) return [];
  try {
    const all = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' });
    return all.filter(path => extname(path) in MEDIA_TYPES);
  } catch {
    return [];
  }
}

function readPageFile(path: string): PageFile {
  const body = readFileSync(new URL(path, DIRECTORY!));
  return { type: MEDIA_TYPES[extname(path)]!, body, zipped: gzipSync(body) };
}

function notBuilt(name: PageName): RxscribeError {
  return new RxscribeError('unreadable-input', `The page '${name}' is not built. Run 'npm run build'.`);
}

export interface DocumentOptions {
  /** Other documents, such as slides or a broadcast tool, may show it in a frame. Default false. */
  readonly mayBeFramed?: boolean;
  /** Further directives of the content-security policy. */
  readonly policy?: readonly string[];
  /** Allows style elements with this nonce, which replaces `{nonce}` in the document. Default: none are allowed. */
  readonly styleNonce?: string;
}

/**
 * Returns the response with the document of a page.
 *
 * @throws RxscribeError `unreadable-input` when it is not built
 */
export function documentResponse(
  request: Pick<IncomingMessage, 'headers'>,
  name: PageName,
  { mayBeFramed = false, policy = [], styleNonce }: DocumentOptions = {},
): PageResponse {
  const file = readPageFiles().get(`${name}.html`);
  if (!file) throw notBuilt(name);
  const styles = `style-src 'self'${styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`}`;
  const framing = mayBeFramed ? [] : ["frame-ancestors 'none'"];
  return responseOf(request, styleNonce === undefined ? file : withNonce(file, styleNonce), {
    'cache-control': styleNonce === undefined ? 'no-cache' : 'no-store',
    'content-security-policy': [...CONTENT_SECURITY, styles, ...framing, ...policy].join('; '),
  });
}

function withNonce(file: PageFile, nonce: string): PageFile {
  const body = Buffer.from(file.body.toString().replaceAll('{nonce}', nonce));
  return { ...file, body, zipped: gzipSync(body) };
}

/** Returns the response with a script or style of the pages; undefined when there is no such file. */
export function assetResponse(
  request: Pick<IncomingMessage, 'headers'>,
  path: string,
): PageResponse | undefined {
  const file = path.startsWith('assets/') ? readPageFiles().get(path) : undefined;
  // The name of an asset has a hash of its content.
  return file && responseOf(request, file, { 'cache-control': 'public, max-age=31536000, immutable' });
}

function responseOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  file: PageFile,
  further: PageResponse['headers'],
): PageResponse {
  const isZipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const body = isZipped ? file.zipped : file.body;
  return {
    headers: {
      ...PAGE_HEADERS,
      ...further,
      'content-type': file.type,
      'content-length': body.length,
      vary: 'accept-encoding',
      ...(isZipped && { 'content-encoding': 'gzip' }),
    },
    body,
  };
}

export function sendPage(response: ServerResponse, { headers, body }: PageResponse): void {
  response.writeHead(200, headers).end(body);
}
