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
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/fileReason.ts';
import { createId } from '../../base/ids.ts';
import { networkCause } from '../../client/serviceErrors.ts';
import { mediaName } from '../flags/mediaArgument.ts';

export interface AddressAudioOptions extends SourceOptions {
  /** Called with the fraction of a recording that has been fetched, from 0 to 1. */
  readonly onFetch?: (fraction: number) => void;
}

/**
 * Emits the audio of an http or https address. A recording is first fetched into a temporary file, since its server would
 * not wait at the pace of speech. An answer without a length, such as that of a radio station, is streamed as it arrives.
 *
 * @throws the errors of `fromFile`; RxscribeError `download` when the address cannot be fetched, `store` when there is no
 *   room for the recording
 */
export function fromAddress(url: string, options: AddressAudioOptions): Observable<AudioBlock> {
  return defer(() => {
    const ended = new AbortController();
    const audio = async (): Promise<Observable<AudioBlock>> => {
      const { body, bytes } = await request(url, ended.signal);
      if (bytes === undefined) {
        return fromReadable(
          Readable.fromWeb(body).on('error', () => {}),
          options,
        );
      }
      const pieces = counted(body, received => options.onFetch?.(received / bytes));
      return fromFile(await fetched(url, pieces, ended.signal), options);
    };
    return defer(audio).pipe(
      mergeMap(audio$ => audio$),
      finalize(() => ended.abort()),
    );
  });
}

interface Answer {
  readonly body: ReadableStream<Uint8Array>;
  /** Undefined for a stream without a known end. */
  readonly bytes?: number;
}

async function request(url: string, signal: AbortSignal): Promise<Answer> {
  const { username, password } = new URL(url);
  if (username || password) {
    throw new InvalidArgumentError(
      `Cannot fetch ${nameOf(url)}: an address with a user name or password is not supported.`,
    );
  }
  const answer = await fetch(url, { signal }).catch(cause => {
    throw failure(url, cause);
  });
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel();
    throw new RxscribeError('download', `Cannot fetch ${nameOf(url)}: HTTP status ${answer.status}.`);
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

/** Resolves with the path of a temporary file with all pieces, which is removed when the signal is aborted. */
async function fetched(url: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const name = join(tmpdir(), `rxscribe-${createId()}`);
  try {
    const file = await open(name, 'wx', 0o600);
    signal.addEventListener('abort', () => void remove(file, name));
    // An abort during the opening has called no listener.
    if (signal.aborted) await remove(file, name);
    signal.throwIfAborted();
    const path = await pathOf(file, name);
    await file.writeFile(pieces, { signal });
    return path;
  } catch (cause) {
    const isOfDisk = (cause as NodeJS.ErrnoException).syscall !== undefined;
    if (!isOfDisk) throw failure(url, cause);
    throw new RxscribeError('store', `Cannot store ${nameOf(url)}: ${fileReason(cause)}.`, { cause });
  }
}

/** Resolves with a path that works without the name: Linux has one, so that a killed process leaves no file. */
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

/** Returns the name of an address for messages, without its query, which may hold a secret. */
function nameOf(url: string): string {
  return `'${mediaName(url) || new URL(url).host}'`;
}

function failure(url: string, thrown: unknown): RxscribeError {
  const { cause = thrown } = thrown as Error;
  const reason = cause instanceof Error ? networkCause(cause) : String(cause);
  return new RxscribeError('download', `Cannot fetch ${nameOf(url)}: ${reason}.`, { cause: thrown });
}
