import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { CatalogueFile, WebFile } from './catalogue.ts';
import { fileDigest } from './modelFiles.ts';
import { downloadError, faultText, requestFile, TransientFailure } from './requestFile.ts';

export interface DownloadFileOptions {
  readonly signal?: AbortSignal;
  /** Called with the number of bytes that are there. */
  readonly onBytes?: (bytes: number) => void;
  /** Called before another attempt, with the reason of the last failure. */
  readonly onRetry?: (reason: string) => void;
  /** Limit of attempts in a row without progress. Default 4. */
  readonly retries?: number;
  /** Milliseconds before the first retry, doubled for each further one. Default 1000. */
  readonly retryDelayMs?: number;
  /** Milliseconds without data after which a connection is abandoned. Default 30 000. */
  readonly stallTimeoutMs?: number;
}

type RetryOptions = Required<Pick<DownloadFileOptions, 'retries' | 'retryDelayMs' | 'stallTimeoutMs'>>;

export const DOWNLOAD_FILE_DEFAULTS: RetryOptions = {
  retries: 4,
  retryDelayMs: 1000,
  stallTimeoutMs: 30_000,
};

/** Suffixes of an unfinished file and of its validator, which identifies the content to the server. */
const PART = '.part';
const VALIDATOR = '.part.tag';

/** A download in progress. */
interface Work {
  readonly file: WebFile;
  readonly path: string;
  readonly partPath: string;
  readonly validatorPath: string;
  readonly options: DownloadFileOptions & RetryOptions;
}

/**
 * Downloads a file under a temporary name beside its path, resuming an earlier attempt, and renames it once
 * its checksum is right. A file with a wrong checksum is deleted.
 *
 * @throws the signal's reason, and the bytes so far stay for the next attempt; RxscribeError `download`
 */
export async function downloadFile(
  file: WebFile,
  path: string,
  options: DownloadFileOptions = {},
): Promise<void> {
  const work: Work = {
    file,
    path,
    partPath: path + PART,
    validatorPath: path + VALIDATOR,
    options: { ...DOWNLOAD_FILE_DEFAULTS, ...options },
  };
  if ((await partBytes(path)) > file.bytes) await discard(work);
  await fetchAll(work);
  const found = await fileDigest(work.partPath, options.signal);
  if (found !== file.sha256) {
    await discard(work);
    throw downloadError(file.name, `its SHA-256 is ${found}, not ${file.sha256}. It was deleted`);
  }
  await rename(work.partPath, path);
  await rm(work.validatorPath, { force: true });
}

async function fetchAll(work: Work): Promise<void> {
  const { file, path, options } = work;
  const { retries, retryDelayMs, signal, onRetry } = options;
  let failures = 0;
  let had = await partBytes(path);
  // A server without ranges starts over each time: only bytes beyond the best attempt are progress.
  let most = had;
  while (had < file.bytes) {
    try {
      await fetchOnce(work, had);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TransientFailure)) throw error;
      const has = await partBytes(path);
      failures = has > most ? 1 : failures + 1;
      most = Math.max(most, has);
      if (failures > retries) throw givenUp(work, has, error);
      onRetry?.(error.message);
      await delay(retryDelayMs * 2 ** (failures - 1), { signal });
    }
    had = await partBytes(path);
  }
}

function givenUp({ file }: Work, has: number, cause: Error): RxscribeError {
  const received = `received ${has} of ${file.bytes} bytes`;
  const reason = `${cause.message} (${received}). Run the command again to resume`;
  return downloadError(file.name, reason, cause);
}

async function fetchOnce(work: Work, from: number): Promise<void> {
  const { file, options } = work;
  const stall = new AbortController();
  const stalled = () => stall.abort(new TransientFailure(`no data for ${options.stallTimeoutMs / 1000} s`));
  let timer = setTimeout(stalled, options.stallTimeoutMs);
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(stalled, options.stallTimeoutMs);
  };
  const signal = AbortSignal.any(options.signal ? [options.signal, stall.signal] : [stall.signal]);
  try {
    const validator = await readFile(work.validatorPath, 'utf8').catch(() => '');
    const answer = await requestFile(file.url, { from, validator, signal });
    if (answer.totalBytes !== undefined && answer.totalBytes !== file.bytes) {
      stall.abort();
      await discard(work);
      throw otherLength(file, answer.totalBytes);
    }
    await keep(work, answer, touch);
  } finally {
    clearTimeout(timer);
  }
}

/** Appends a body to the file. */
async function keep(
  work: Work,
  { start, validator = '', body }: Awaited<ReturnType<typeof requestFile>>,
  touch: () => void,
): Promise<void> {
  const { file, options } = work;
  const part = await open(work.partPath, start === 0 ? 'w' : 'a');
  let bytes = start;
  try {
    await writeFile(work.validatorPath, validator);
    for await (const piece of received(body)) {
      touch();
      if (bytes + piece.length > file.bytes) throw otherLength(file, bytes + piece.length);
      await part.appendFile(piece);
      bytes += piece.length;
      options.onBytes?.(bytes);
    }
  } catch (error) {
    await part.close();
    if (error instanceof RxscribeError) await discard(work);
    const advice = 'no space left on the device. Free some space, then run the command again';
    throw isFull(error) ? downloadError(file.name, advice, error) : error;
  }
  await part.close();
  if (bytes < file.bytes) throw new TransientFailure('a broken connection');
}

/** Turns a broken connection into a temporary failure. */
async function* received(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof TransientFailure) throw cause;
    throw new TransientFailure(`a broken connection (${faultText(cause)})`, { cause });
  }
}

function otherLength(file: CatalogueFile, found: number): RxscribeError {
  return downloadError(file.name, `it has ${found} or more bytes, not ${file.bytes}`);
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Returns the bytes that an earlier attempt left, 0 without one. */
export async function partBytes(path: string): Promise<number> {
  return stat(path + PART).then(
    ({ size }) => size,
    () => 0,
  );
}

async function discard({ partPath, validatorPath }: Work): Promise<void> {
  await Promise.all([partPath, validatorPath].map(path => rm(path, { force: true })));
}
