import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RxscribeError } from '../../../base/errors.ts';

/** The same place from `src` and from `dist`; null in a bundle that is CommonJS, which has no address of its own. */
const DIRECTORY = URL.parse('../../../../dist/pages/', import.meta.url);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Headers of every response of the page's server. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  readonly zipped: Buffer;
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
  throw new RxscribeError('unreadable-input', "The caption page is not built. Run 'npm run build'.");
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

/**
 * Sends the document of a page. The page of the audience may be framed by any document, such as slides or a broadcast tool;
 * the operator's never.
 */
export function sendPageFile(response: ServerResponse, name: 'captions' | 'operator'): void {
  const file = readPageFiles().get(`${name}.html`);
  if (!file)
    throw new RxscribeError('unreadable-input', `The page '${name}' is not built. Run 'npm run build'.`);
  const framing = name === 'operator' ? "; frame-ancestors 'none'" : '';
  send(response, file, {
    'cache-control': 'no-cache',
    'content-security-policy': CONTENT_SECURITY + framing,
  });
}

/** Sends a script or style of the pages. Returns false when there is no such file. */
export function sendAsset(response: ServerResponse, path: string): boolean {
  const file = path.startsWith('assets/') ? readPageFiles().get(path) : undefined;
  // The name of an asset has a hash of its content.
  if (file) send(response, file, { 'cache-control': 'public, max-age=31536000, immutable' });
  return file !== undefined;
}

function send(response: ServerResponse, file: PageFile, headers: Readonly<Record<string, string>>): void {
  const isZipped = /\bgzip\b/.test(String(response.req.headers['accept-encoding'] ?? ''));
  const body = isZipped ? file.zipped : file.body;
  response.writeHead(200, {
    ...PAGE_HEADERS,
    ...headers,
    'content-type': file.type,
    'content-length': body.length,
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  });
  response.end(body);
}
