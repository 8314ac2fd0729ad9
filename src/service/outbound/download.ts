import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import type { AddressGuard } from './addressGuard.ts';
import { bodyOf } from './body.ts';
import { downloadName } from './fileName.ts';
import { OutboundError, outboundUrl, tooLate } from './outboundError.ts';
import { getFollowing } from './redirects.ts';

/** The address of a download. */
export interface DownloadSource {
  /** An http or https address without a user name or password. */
  readonly url: string;
  /** Value of the Authorization header, sent to the origin of the address only. */
  readonly authorization?: string;
}

export interface DownloadLimits {
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** Milliseconds to connect, including host name and TLS; again for each redirect. */
  readonly connectTimeoutMs: number;
  /** Milliseconds from the connection to the headers of the answer; again for each redirect. */
  readonly answerTimeoutMs: number;
  /** Milliseconds without any data of the body. */
  readonly stallTimeoutMs: number;
  /** Milliseconds for the whole download. */
  readonly totalTimeoutMs: number;
}

export interface DownloadOptions extends Partial<DownloadLimits> {
  readonly guard: AddressGuard;
  /** Aborts the download; the reason is thrown. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

const MIB = 1024 * 1024;

/** Default limits on media. */
export const DOWNLOAD_DEFAULTS: DownloadLimits = {
  maxBytes: 2048 * MIB,
  maxRedirects: 5,
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 30_000,
  stallTimeoutMs: 30_000,
  totalTimeoutMs: 3_600_000,
};

/** Default limits on texts. */
export const FETCH_TEXT_DEFAULTS: DownloadLimits = {
  ...DOWNLOAD_DEFAULTS,
  maxBytes: 4 * MIB,
  totalTimeoutMs: 60_000,
};

/** An error of a download with a cause outside of the service. The message is for its user. */
export class DownloadError extends RxscribeError {
  override name = 'DownloadError';
  constructor(message: string, options?: { cause?: unknown }) {
    super('download', message, options);
  }
}

/** A completed download. */
export interface Download {
  readonly bytes: number;
  /** Name given by the server or the address; a base name, never a path. */
  readonly name?: string;
}

/**
 * Downloads to a file that only its owner can read, replacing an existing one. Reads no faster than it writes. Leaves no
 * file when it fails.
 *
 * @param path path of the file
 * @throws the signal's reason; DownloadError; RxscribeError `store` when the file cannot be written
 * @example
 * const { bytes } = await download({ url: 'https://example.org/talk.wav' }, 'media', { guard: createAddressGuard() });
 */
export async function download(
  source: DownloadSource,
  path: string,
  options: DownloadOptions,
): Promise<Download> {
  return fetchBody(source, { ...DOWNLOAD_DEFAULTS, ...options }, async (answer, body) => {
    try {
      const bytes = await writeFile(path, body);
      return { bytes, name: downloadName(new URL(source.url), answer.headers['content-disposition']) };
    } catch (cause) {
      await rm(path, { force: true });
      const { syscall, code } = cause as NodeJS.ErrnoException;
      // Errors of the body are not errors of a system call.
      if (syscall === undefined) throw cause;
      throw new RxscribeError('store', `Cannot write the download (${code}).`, { cause });
    }
  });
}

/**
 * Downloads a text.
 *
 * @throws the signal's reason; DownloadError, also for anything but UTF-8
 */
export async function fetchText(source: DownloadSource, options: DownloadOptions): Promise<string> {
  return fetchBody(source, { ...FETCH_TEXT_DEFAULTS, ...options }, async (_, body) => {
    const bytes = await buffer(body);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new OutboundError('it is not text in UTF-8');
    }
  });
}

/** Opens an address, passes its answer to `use`, and turns outbound errors into those for users. */
async function fetchBody<T>(
  { url: address, authorization }: DownloadSource,
  options: DownloadOptions & DownloadLimits,
  use: (answer: IncomingMessage, body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { totalTimeoutMs: timeoutMs, clock = systemClock, signal } = options;
  const limit = { timeoutMs, lateError: () => tooLate('end of the data', timeoutMs), clock, signal };
  try {
    const url = outboundUrl(address);
    return await withDeadline(limit, async signal => {
      const answer = await getFollowing({ url, authorization }, { ...options, clock, signal });
      try {
        checkAnswer(answer);
        return await use(answer, bodyOf(answer, { ...options, clock, signal }));
      } finally {
        answer.destroy();
      }
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new DownloadError(`The download failed: ${error.message}.`, { cause: error });
  }
}

function checkAnswer({ statusCode, headers }: IncomingMessage): void {
  if (statusCode !== 200) throw new OutboundError(`the server answered with status ${statusCode}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new OutboundError('the server sent it in a content encoding');
  }
}

async function writeFile(path: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(body);
  return (await file.stat()).size;
}
