import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RxscribeError } from '../base/errors.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** @param scripts sources of scripts besides the files; `styles` likewise */
const contentSecurity = (scripts: string, styles: string) => [
  "default-src 'none'",
  `script-src 'self'${scripts}`,
  `style-src 'self'${styles}`,
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

/** Headers of a stream of server-sent events. */
export const EVENT_STREAM_HEADERS = {
  ...PAGE_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that waits for a full buffer would delay the events.
  'x-accel-buffering': 'no',
} as const;

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

const known = new Map<string, PageFiles>();

/** Returns the files of a directory, which are read once in a process. */
function filesOf(directory: URL | null): PageFiles {
  if (!directory) return new Map();
  const files = known.get(directory.href) ?? readFiles(directory);
  if (files.size > 0) known.set(directory.href, files);
  return files;
}

function readFiles(directory: URL): PageFiles {
  try {
    const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    return new Map(
      paths
        .filter(path => extname(path) in MEDIA_TYPES)
        .map(path => {
          const body = readFileSync(new URL(path, directory));
          const file = { type: MEDIA_TYPES[extname(path)]!, body, zipped: gzipSync(body) };
          return [path.replaceAll('\\', '/'), file];
        }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return new Map();
  }
}

export interface DocumentOptions {
  /** True if other documents, such as slides or a broadcast tool, may show the page in a frame. Default false. */
  readonly mayBeFramed?: boolean;
  /** Allows WebAssembly. Default false. */
  readonly hasWasm?: boolean;
  /** Further directives of the content-security policy. */
  readonly policy?: readonly string[];
  /** Allows style elements with this nonce, which replaces `{nonce}` in the document. Default: none are allowed. */
  readonly styleNonce?: string;
}

/** The built pages of a directory. */
export interface Pages {
  /** @throws RxscribeError `unreadable-input` when the document of a page is not built */
  require(name: string): void;
  /**
   * Returns the response with the document of a page.
   *
   * @throws RxscribeError `unreadable-input` when it is not built
   */
  document(request: Pick<IncomingMessage, 'headers'>, name: string, options?: DocumentOptions): PageResponse;
  /** Returns the response with a script or style; undefined when there is no such file. */
  asset(request: Pick<IncomingMessage, 'headers'>, path: string): PageResponse | undefined;
}

/** @param directory null in a CommonJS bundle, which has no URL of its own */
export function pagesAt(directory: URL | null): Pages {
  function documentOf(name: string): PageFile {
    const file = filesOf(directory).get(`${name}.html`);
    if (file) return file;
    throw new RxscribeError('unreadable-input', `The page '${name}' is not built. Run 'npm run build'.`);
  }
  return {
    require: name => void documentOf(name),

    document(request, name, { mayBeFramed = false, hasWasm = false, policy = [], styleNonce } = {}) {
      const file = documentOf(name);
      const styles = styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`;
      const scripts = hasWasm ? " 'wasm-unsafe-eval'" : '';
      const framing = mayBeFramed ? [] : ["frame-ancestors 'none'"];
      return responseOf(request, styleNonce === undefined ? file : withNonce(file, styleNonce), {
        'cache-control': styleNonce === undefined ? 'no-cache' : 'no-store',
        'content-security-policy': [...contentSecurity(scripts, styles), ...framing, ...policy].join('; '),
      });
    },

    asset(request, path) {
      const file = path.startsWith('assets/') ? filesOf(directory).get(path) : undefined;
      // The name of an asset has a hash of its content.
      return file && responseOf(request, file, { 'cache-control': 'public, max-age=31536000, immutable' });
    },
  };
}

function withNonce(file: PageFile, nonce: string): PageFile {
  const body = Buffer.from(file.body.toString().replaceAll('{nonce}', nonce));
  return { ...file, body, zipped: gzipSync(body) };
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

export function sendPage(response: ServerResponse, { headers, body }: PageResponse, status = 200): void {
  response.writeHead(status, headers).end(body);
}
