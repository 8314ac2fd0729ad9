import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { defer, finalize, from, mergeMap, type Observable } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { SourceOptions } from '../../audio/source/blockSource.ts';
import { fromFile } from '../../audio/source/file.ts';
import { checkLiveAddress, fromEndedPlaylist, fromLiveAddress } from '../../audio/source/fromLiveAddress.ts';
import { hasEnded, isLiveAddress } from '../../audio/source/liveAddress.ts';
import { fromReadable } from '../../audio/source/readable.ts';
import type { SourceStatus } from '../../audio/source/reconnecting.ts';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError, refuseIf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { fileReason } from '../../base/text.ts';
import { networkCause } from '../../client/serviceErrors.ts';
import { isAddress, mediaName } from '../flags/mediaArgument.ts';

export interface AddressAudioOptions extends SourceOptions {
  /** Hz, of live audio. */
  readonly sampleRate: number;
  /** Samples per frame, of live audio. */
  readonly channels: number;
  /** Called when a live address is lost or back, or waits for a sender. */
  readonly onStatus: (status: SourceStatus) => void;
  /** Called with the fraction of a recording that has been fetched, from 0 to 1. */
  readonly onFetch?: (fraction: number) => void;
  /** Returns the audio in the requested format. Live audio has its own pace. */
  readonly shape: (audio$: Observable<AudioBlock>, isLive: boolean) => Observable<AudioBlock>;
}

/**
 * Emits the audio of an address, shaped by `options.shape`. Live addresses, HLS and radio stations among them, are read by
 * ffmpeg, which connects again after a loss. A recording is first fetched into a temporary file, since its server would not
 * wait at the pace of speech. Any other answer without a length is streamed as it arrives.
 *
 * @throws the errors of `fromFile` and `fromLiveAddress`; RxscribeError `download` when the address cannot be fetched, `store`
 *   when there is no room for the recording
 */
export function fromAddress(url: string, options: AddressAudioOptions): Observable<AudioBlock> {
  return defer(() => {
    const ended = new AbortController();
    return from(opened(url, options, ended.signal)).pipe(
      mergeMap(({ audio$, isLive }) => options.shape(audio$, isLive)),
      finalize(() => ended.abort()),
    );
  });
}

/** Resolves with the audio of an address, which is live or a recording. */
async function opened(url: string, options: AddressAudioOptions, signal: AbortSignal) {
  const answer = await answerOf(url, signal);
  if (answer.kind === 'recording') {
    return { audio$: await recordingOf(url, answer, options, signal), isLive: false };
  }
  const { isPlaylist } = answer;
  if (isPlaylist && (await hasEnded(url, { signal }))) {
    return { audio$: fromEndedPlaylist(url, options), isLive: false };
  }
  return { audio$: fromLiveAddress(url, { ...options, isPlaylist }), isLive: true };
}

/**
 * Asks an address, and resolves with a sentence on what it gives. A recording is not fetched.
 *
 * @throws the errors of {@link fromAddress}; the signal's reason
 */
export async function checkAddress(
  url: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const answer = await answerOf(url, signal);
  if (answer.kind === 'live') return checkLiveAddress(url, { isPlaylist: answer.isPlaylist, clock });
  await answer.body.cancel();
  const size = answer.bytes === undefined ? 'of unknown length' : `of ${(answer.bytes / 1e6).toFixed(1)} MB`;
  return `The address of ${nameOf(url)} gives a recording ${size}.`;
}

async function recordingOf(
  url: string,
  { body, bytes }: Recording,
  options: AddressAudioOptions,
  signal: AbortSignal,
): Promise<Observable<AudioBlock>> {
  if (bytes === undefined)
    return fromReadable(
      Readable.fromWeb(body).on('error', () => {}),
      options,
    );
  const pieces = counted(body, received => options.onFetch?.(received / bytes));
  return fromFile(await fetched(url, pieces, signal), options);
}

interface Recording {
  readonly kind: 'recording';
  readonly body: ReadableStream<Uint8Array>;
  /** Undefined for a stream without a known end. */
  readonly bytes?: number;
}

/** Audio that comes at its own pace: a station, a playlist, or an address of another scheme. */
interface Live {
  readonly kind: 'live';
  readonly isPlaylist?: boolean;
}

const STATION: Live = { kind: 'live', isPlaylist: false };
const PLAYLIST: Live = { kind: 'live', isPlaylist: true };

async function answerOf(url: string, signal: AbortSignal): Promise<Recording | Live> {
  if (!isAddress(url)) return { kind: 'live' };
  const { username, password } = new URL(url);
  refuseIf(
    username || password,
    `Cannot fetch ${nameOf(url)}: an address with a user name or password is not supported.`,
  );
  return isLiveAddress(url) ? PLAYLIST : request(url, signal);
}

async function request(url: string, signal: AbortSignal): Promise<Recording | Live> {
  let answer: Response;
  try {
    answer = await fetch(url, { signal });
  } catch (cause) {
    if (isShoutcast(cause)) return STATION;
    throw failure(url, cause);
  }
  const live = liveOf(answer.headers);
  if (answer.ok && !live && answer.body) {
    const length = answer.headers.get('content-length');
    return { kind: 'recording', body: answer.body, bytes: length === null ? undefined : Number(length) };
  }
  await answer.body?.cancel();
  if (answer.ok && live) return live;
  throw new RxscribeError('download', `Cannot fetch ${nameOf(url)}: HTTP status ${answer.status}.`);
}

/** Returns whether a request failed on a status line that is not of HTTP, as `ICY 200 OK` of SHOUTcast 1. */
function isShoutcast(thrown: unknown): boolean {
  const { cause } = thrown as Error;
  return (
    cause instanceof Error && cause.name === 'HTTPParserError' && cause.message.includes('Expected HTTP/')
  );
}

/** Returns the live audio that an answer gives; undefined for a recording. A station names itself in headers of Icecast. */
function liveOf(headers: Headers): Live | undefined {
  if (/mpegurl/i.test(headers.get('content-type') ?? '')) return PLAYLIST;
  if (headers.has('content-length')) return undefined;
  const isStation = [...headers.keys()].some(name => /^(icy|ice)-/.test(name));
  return isStation || /icecast|shoutcast/i.test(headers.get('server') ?? '') ? STATION : undefined;
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
    // The listener misses an abort during the opening.
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
