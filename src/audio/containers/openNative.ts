import { setImmediate } from 'node:timers/promises';
import { RxscribeError } from '../../base/errors.ts';
import type { ByteReader } from './byteReader.ts';
import { openFlac } from './flac.ts';
import { openMatroska } from './matroska.ts';
import { isMatroskaPart } from './matroskaElements.ts';
import { hasMpegFrames, id3Bytes, openMpeg, tagBytesAt } from './mpeg.ts';
import type { DamageLog, NativeAudio, OpenNative, Samples } from './nativeAudio.ts';
import { openOgg } from './ogg.ts';
import { openAiff, openCaf, openW64, openWav } from './pcmFiles.ts';
import { type Container, LONG_SNIFF_BYTES, SNIFF_BYTES, sniffContainer, sniffOther } from './sniff.ts';

/** Containers that are read natively, as far as their codecs are. */
const OPENERS: Partial<Record<Container, OpenNative>> = {
  wav: openWav,
  flac: openFlac,
  ogg: openOgg,
  mp3: openMpeg,
  matroska: openMatroska,
  aiff: openAiff,
  w64: openW64,
  caf: openCaf,
};

/**
 * Resolves with the container of a stream, detected from its first bytes; undefined for one that is not known. Skips a leading
 * ID3 tag, which may precede any of them.
 *
 * @throws RxscribeError `audio-empty` when there are no bytes, `audio-unsupported` for text and other bytes that are no audio
 */
export async function detectContainer(bytes: ByteReader): Promise<Container | undefined> {
  let head = await bytes.peek(SNIFF_BYTES);
  if (head.length === 0) throw new RxscribeError('audio-empty', 'Cannot read audio: it is empty.');
  for (let tag = id3Bytes(head); tag > 0; tag = id3Bytes(head)) {
    bytes.release();
    await bytes.skip(tag);
    head = await bytes.peek(SNIFF_BYTES);
    bytes.keepUnread();
  }
  const container = sniffContainer(head);
  if (container) return container;
  const longHead = (await bytes.peek(LONG_SNIFF_BYTES)).subarray(0, LONG_SNIFF_BYTES);
  const other = isMatroskaPart(longHead)
    ? 'a part of a WebM recording without its beginning'
    : sniffOther(longHead);
  const message = `Cannot decode audio: the data is not audio, but looks like ${other}.`;
  if (other) throw new RxscribeError('audio-unsupported', message);
  // MPEG audio may begin within a frame, as a recording of a radio station does.
  return hasMpegFrames(longHead) ? 'mp3' : undefined;
}

/**
 * Opens a container natively. Resolves with undefined when it, or its codec, is not read natively; all bytes are then still kept.
 *
 * @throws RxscribeError `audio-corrupt` when its header cannot be read
 */
export async function openNative(
  bytes: ByteReader,
  container: Container | undefined,
): Promise<NativeAudio | undefined> {
  const audio = container && (await OPENERS[container]?.(bytes));
  if (audio) bytes.release();
  return audio;
}

/** Returns whether an error means that bytes cannot be read as audio, unlike those of their source. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof RxscribeError &&
    ['audio-corrupt', 'audio-unsupported', 'program-missing'].includes(error.code)
  );
}

/**
 * Opens the recording that follows another one, after zeros and tags. Resolves with undefined when there is none; the bytes up to
 * the end, if any, are then added to the log as unread.
 */
export async function openNext(bytes: ByteReader, log: DamageLog): Promise<NativeAudio | undefined> {
  const start = bytes.position;
  await skipTags(bytes);
  const head = await bytes.peek(SNIFF_BYTES);
  if (head.length === 0) return undefined;
  const container = sniffContainer(head);
  try {
    const audio = container && (await OPENERS[container]?.(bytes));
    if (audio) return audio;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  await bytes.skip(Number.POSITIVE_INFINITY);
  log.unreadBytes += bytes.position - start;
  return undefined;
}

async function skipTags(bytes: ByteReader): Promise<void> {
  for (let skipped = 1; skipped > 0; ) {
    const window = await bytes.peek(1);
    const zeros = window.findIndex(byte => byte !== 0);
    skipped = zeros === -1 ? window.length : zeros || (await tagBytesAt(bytes));
    await bytes.skip(skipped);
  }
}

/** Milliseconds of decoding after which other work has its turn. */
const TURN_MS = 10;

/** Yields what an iterable yields, and lets the event loop run in between. */
export async function* inTurns(parts: AsyncIterable<Samples>): AsyncGenerator<Samples> {
  let start = performance.now();
  for await (const part of parts) {
    yield part;
    if (performance.now() - start < TURN_MS) continue;
    await setImmediate();
    start = performance.now();
  }
}
