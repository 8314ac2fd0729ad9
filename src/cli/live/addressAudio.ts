import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { defer, finalize, mergeMap, type Observable } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { SourceOptions } from '../../audio/source/blockSource.ts';
import { fromFile } from '../../audio/source/file.ts';
import { fromReadable } from '../../audio/source/readable.ts';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { networkCause } from '../../client/serviceErrors.ts';
import { mediaName } from '../flags/mediaArgument.ts';

export interface AddressAudioOptions extends SourceOptions {
  /** Told how much of a recording has been fetched, from 0 to 1. */
  readonly onFetch?: (fraction: number) => void;
}

/**
 * The audio of an http or https address. A recording is fetched first, into a temporary file: at the pace of speech its
 * server would not wait. An answer without a length, such as that of a radio station, is heard as it comes.
 *
 * Errors are those of `fromFile`; `download` when it cannot be fetched, and `store` when there is no room for it.
 */
export function fromAddress(url: string, options: AddressAudioOptions): Observable<AudioBlock> {
  return defer(() => {
    const over = new AbortController();
    const audio = async (): Promise<Observable<AudioBlock>> => {
      const { body, bytes } = await request(url, over.signal);
      if (bytes === undefined)
        return fromReadable(
          Readable.fromWeb(body).on('error', () => {}),
          options,
        );
      const pieces = counted(body, received => options.onFetch?.(received / bytes));
      return fromFile(await fetched(url, pieces, over.signal), options);
    };
    return defer(audio).pipe(
      mergeMap(audio$ => audio$),
      finalize(() => over.abort()),
    );
  });
}

interface Answer {
  readonly body: ReadableStream<Uint8Array>;
  /** Undefined where its end is not known. */
  readonly bytes?: number;
}

async function request(url: string, signal: AbortSignal): Promise<Answer> {
  const { username, password } = new URL(url);
  if (username || password) {
    throw new InvalidArgumentError(`${fetching(url)}: wanted an address without a user name or password`);
  }
  const answer = await fetch(url, { signal }).catch(cause => {
    throw failure(url, cause);
  });
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel();
    throw new RxscribeError('download', `${fetching(url)}: wanted a recording, found HTTP ${answer.status}`);
  }
  const length = answer.headers.get('content-length');
  return { body: answer.body, ...(length !== null && { bytes: Number(length) }) };
}

async function* counted(
  body: ReadableStream<Uint8Array>,
  onReceived: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const piece of body) {
    received += piece.length;
    onReceived(received);
    yield piece;
  }
}

/** Returns the path of a file with all of it, which is gone when the signal is aborted. */
async function fetched(url: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const name = join(tmpdir(), `rxscribe-${createId()}`);
  try {
    const file = await open(name, 'wx', 0o600);
    signal.addEventListener('abort', () => void remove(file, name));
    const path = await pathOf(file, name);
    await file.writeFile(pieces, { signal });
    return path;
  } catch (cause) {
    const isOfDisk = (cause as NodeJS.ErrnoException).syscall !== undefined;
    if (!isOfDisk) throw failure(url, cause);
    throw new RxscribeError('store', `${fetching(url)}: ${messageOf(cause)}`, { cause });
  }
}

/** Linux has a path for each open file: there the name goes at once, and nothing is left however the process ends. */
async function pathOf(file: FileHandle, name: string): Promise<string> {
  const path = `/proc/${process.pid}/fd/${file.fd}`;
  if (!existsSync(path)) return name;
  await rm(name);
  return path;
}

async function remove(file: FileHandle, name: string): Promise<void> {
  await file.close();
  await rm(name, { force: true });
}

/** The query of an address may be a secret. */
function fetching(url: string): string {
  return `fetch ${mediaName(url) || new URL(url).host}`;
}

function failure(url: string, thrown: unknown): RxscribeError {
  const { cause = thrown } = thrown as Error;
  const reason = cause instanceof Error ? networkCause(cause) : String(cause);
  return new RxscribeError('download', `${fetching(url)}: ${reason}`, { cause: thrown });
}
