import { type ByteReader, findBytes, hasText, viewOf } from './byteReader.ts';
import { decodeFlacFrame, type FlacFormat, parseStreamInfo, STREAMINFO_BYTES } from './flacFrame.ts';
import { corrupt, countFrames, DamageLog, type NativeAudio, type Samples } from './nativeAudio.ts';
import { beginsRecording, SNIFF_BYTES } from './sniff.ts';

/** Widest samples that are read natively. */
export const MAX_FLAC_BITS = 24;

const MAGIC = Buffer.from('fLaC', 'latin1');

/** Opens a FLAC file. @throws RxscribeError `audio-corrupt` */
export async function openFlac(bytes: ByteReader): Promise<NativeAudio | undefined> {
  const head = await bytes.read(8 + STREAMINFO_BYTES);
  const [type = 0] = head.subarray(4);
  if (!hasText(head, 'fLaC') || (type & 0x7f) !== 0) throw corrupt('FLAC', 'its header is incomplete');
  const format = parseStreamInfo(head.slice(8));
  if (format.bits > MAX_FLAC_BITS) return undefined;
  if ((type & 0x80) === 0) await skipMetadata(bytes);
  const log = new DamageLog();
  return {
    seconds: () => format.frames && format.frames / format.sampleRate,
    read: () => readFrames(bytes, format, log),
    log,
  };
}

async function skipMetadata(bytes: ByteReader): Promise<void> {
  for (let isLast = false; !isLast; ) {
    const header = await bytes.read(4);
    if (header.length < 4) return;
    const word = viewOf(header).getUint32(0);
    isLast = word >= 0x8000_0000;
    await bytes.skip(word & 0xff_ffff);
  }
}

/** Yields the frames up to the end, another recording, or the announced length: an announced length may be too short. */
async function* readFrames(bytes: ByteReader, format: FlacFormat, log: DamageLog): AsyncGenerator<Samples> {
  let frames = 0;
  let wanted = 1;
  let isLost = false;
  let isCut = false;
  for (;;) {
    const window = await bytes.peek(wanted);
    if (window.length === 0) break;
    const isEnd = window.length < wanted;
    const frame = decodeFlacFrame(window, format);
    if (frame === 'more' && !isEnd) {
      // The window grows by more than a byte, since each attempt decodes from the start.
      wanted = window.length + Math.max(32, window.length >> 3);
      continue;
    }
    wanted = 1;
    if (typeof frame === 'string') {
      const isComplete = frames >= (format.frames ?? Number.POSITIVE_INFINITY);
      if (isComplete || beginsRecording(await bytes.peek(SNIFF_BYTES))) break;
      isCut ||= frame === 'more';
      if (!isLost && !isCut) log.add();
      isLost = true;
      bytes.advance(nextFrame(window));
      continue;
    }
    if (isCut) log.add();
    isLost = isCut = false;
    bytes.advance(frame.bytes);
    const decoded = { ...format, samples: frame.samples };
    frames += countFrames(decoded);
    yield decoded;
  }
  if (isCut || (log.places === 0 && frames < (format.frames ?? 0)))
    log.missingEnd = `it ends after frame ${frames}`;
}

/** Returns the offset of the next possible frame or recording, or the number of all bytes. */
function nextFrame(bytes: Uint8Array): number {
  let at = bytes.indexOf(0xff, 1);
  while (at !== -1 && at + 1 < bytes.length && (bytes[at + 1]! & 0xfe) !== 0xf8)
    at = bytes.indexOf(0xff, at + 1);
  return findBytes(at === -1 ? bytes : bytes.subarray(0, at), MAGIC, 1);
}
