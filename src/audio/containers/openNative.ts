import { setImmediate } from 'node:timers/promises';
import { RxscribeError } from '../../base/errors.ts';
import type { ByteReader } from './byteReader.ts';
import { openFlac } from './flac.ts';
import { openMatroska } from './matroska.ts';
import { hasMpegFrames, id3Bytes, openMpeg } from './mpeg.ts';
import type { NativeAudio, OpenNative, Samples } from './nativeAudio.ts';
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
  const other = sniffOther(longHead);
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
