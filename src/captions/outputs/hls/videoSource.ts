import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { firstVariant } from '../../../audio/source/liveAddress.ts';
import { RxscribeError, reasonOf } from '../../../base/errors.ts';
import { readBody } from '../../../web/readBody.ts';
import { firstTimeOf, HEAD_BYTES } from './firstTime.ts';
import {
  type MediaPlaylist,
  type MediaResource,
  type MediaSegment,
  parseMediaPlaylist,
} from './mediaPlaylist.ts';

/** Maximum number of bytes of a playlist. */
const MAX_PLAYLIST_BYTES = 4_194_304;
/** Maximum number of bytes of an initialisation section. */
const MAX_MAP_BYTES = 1_048_576;

/** The video whose clock captions follow. */
export interface VideoSource {
  /** @throws RxscribeError when the playlist cannot be read or used */
  playlist(signal: AbortSignal): Promise<MediaPlaylist>;
  /**
   * Returns the presentation time of the first sample of a segment in seconds.
   *
   * @throws RxscribeError when the segment cannot be read, or holds no time
   */
  firstTime(segment: MediaSegment, signal: AbortSignal): Promise<number>;
}

/**
 * Creates the reader of a video.
 *
 * @param address path or http address of its media playlist, or of a multivariant playlist, whose first variant is read
 */
export function videoSource(address: string): VideoSource {
  const main = isWebAddress(address) ? new URL(address) : pathToFileURL(resolve(address));
  let variant: URL | undefined;
  let map: { readonly href: string; readonly bytes: Buffer } | undefined;

  const located = ({ uri }: { readonly uri: string }) => {
    const url = URL.parse(uri, (variant ?? main).href);
    const isAllowed = url && (isWeb(url) || (url.protocol === 'file:' && main.protocol === 'file:'));
    if (isAllowed) return url;
    throw unreadable('The playlist of the video has an address that cannot be read.');
  };
  const mapOf = async (resource: MediaResource | undefined, signal: AbortSignal) => {
    if (!resource) return undefined;
    const url = located(resource);
    const href = `${url.href}@${resource.offset}`;
    if (map?.href !== href) {
      const bytes = await readBytes(url, { offset: resource.offset, maxBytes: MAX_MAP_BYTES, signal });
      map = { href, bytes };
    }
    return map.bytes;
  };

  return {
    async playlist(signal) {
      const text = await readText(variant ?? main, signal).catch(error => {
        // Another multivariant playlist may name another variant.
        variant = undefined;
        throw error;
      });
      const uri = variant ? undefined : firstVariant(text);
      if (uri === undefined) return usable(parseMediaPlaylist(text));
      variant = located({ uri });
      return usable(parseMediaPlaylist(await readText(variant, signal)));
    },
    async firstTime(segment, signal) {
      const url = located(segment);
      const head = await readBytes(url, { offset: segment.offset, maxBytes: HEAD_BYTES, signal });
      const time = firstTimeOf(head, await mapOf(segment.map, signal));
      if (time !== undefined) return time;
      throw unreadable(
        'A segment of the video has no time; it must be an MPEG transport stream, fragmented MP4, or audio with timestamps.',
      );
    },
  };
}

/** Returns whether an address is one of the web; any other text is a path. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:';

function usable(playlist: MediaPlaylist): MediaPlaylist {
  if (!playlist.segments.some(({ isEncrypted }) => isEncrypted)) return playlist;
  throw unreadable(
    'The playlist of the video cannot be used: its segments are encrypted, so that their times cannot be read.',
  );
}

async function readText(url: URL, signal: AbortSignal): Promise<string> {
  const bytes = await readBytes(url, { maxBytes: MAX_PLAYLIST_BYTES + 1, signal });
  if (bytes.length <= MAX_PLAYLIST_BYTES) return bytes.toString();
  throw unreadable(`The playlist of the video has more than ${MAX_PLAYLIST_BYTES} bytes.`);
}

function unreadable(message: string, cause?: unknown): RxscribeError {
  return new RxscribeError('unreadable-input', message, { cause });
}

interface ReadOptions {
  /** Offset of the first byte. Default 0. */
  readonly offset?: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Resolves with the first bytes of a resource from an offset. */
async function readBytes(url: URL, options: ReadOptions): Promise<Buffer> {
  try {
    return await (isWeb(url) ? fetchBytes(url, options) : readFileBytes(url, options));
  } catch (cause) {
    options.signal.throwIfAborted();
    // The query of an address may hold a token.
    const name = isWeb(url) ? `the video at ${url.host}` : `'${fileURLToPath(url)}'`;
    throw unreadable(`Cannot read ${name}: ${readReason(cause)}.`, cause);
  }
}

function readReason(cause: unknown): string {
  const { code, cause: inner } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  return reasonOf(inner ?? cause);
}

async function readFileBytes(url: URL, { offset = 0, maxBytes }: ReadOptions): Promise<Buffer> {
  await using file = await open(fileURLToPath(url));
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - offset)));
  const { bytesRead } = await file.read(bytes, { position: offset });
  return bytes.subarray(0, bytesRead);
}

async function fetchBytes(url: URL, { offset = 0, maxBytes, signal }: ReadOptions): Promise<Buffer> {
  const isWhole = offset === 0 && maxBytes > MAX_PLAYLIST_BYTES;
  const headers = isWhole ? {} : { range: `bytes=${offset}-${offset + maxBytes - 1}` };
  const { ok, status, body } = await fetch(url, { headers, signal });
  if (!ok || !body || (status === 200 && offset > 0)) {
    await body?.cancel();
    throw new Error(ok ? 'the server has no support for byte ranges' : `HTTP status ${status}`);
  }
  return readBody(body, maxBytes);
}
