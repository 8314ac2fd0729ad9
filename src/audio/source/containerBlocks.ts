import { RxscribeError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { ByteReader } from '../containers/byteReader.ts';
import { DamageLog, inOneFormat, type NativeAudio, type Samples } from '../containers/nativeAudio.ts';
import { detectContainer, inTurns, isUnreadable, openNative, openNext } from '../containers/openNative.ts';
import { CONTAINER_NAMES, type Container } from '../containers/sniff.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { decodeBytes } from './decode.ts';

export interface ContainerOptions {
  /** Aborting it must also end `bytes`. */
  readonly signal: AbortSignal;
  readonly onWarning: OnAudioWarning;
  /** Reads formats that are not read natively. Default: pipes the bytes to ffmpeg. */
  readonly decode?: (container: Container | undefined) => AsyncIterable<AudioBlock>;
}

/**
 * Yields the blocks of audio in a container, which is detected from the bytes. WAV, FLAC, MP3, Ogg, Matroska, WebM, AIFF, W64
 * and CAF are read natively with the codecs that are common in them; ffmpeg decodes everything else.
 *
 * The readable part of damaged native audio is yielded, and a warning follows, also for bytes after it that are not read. Recordings
 * that are joined are read one after another; a change of the sample rate or the channels is evened out.
 *
 * @throws RxscribeError `audio-empty` when there are no bytes or no samples, `audio-corrupt` when nothing can be decoded,
 * `audio-unsupported` for what is no audio; the errors of `decodeBytes` and `bytes`; the signal's reason
 */
export async function* containerBlocks(
  bytes: AsyncIterable<Uint8Array>,
  options: ContainerOptions,
): AsyncGenerator<AudioBlock> {
  const reader = new ByteReader(bytes);
  try {
    const container = await detectContainer(reader);
    const audio = await openNative(reader, container);
    if (audio) yield* nativeBlocks(reader, audio, { ...options, name: CONTAINER_NAMES[container!] });
    else {
      const { decode = () => decodeBytes(reader.fromStart(), { ...options, container }) } = options;
      yield* decode(container);
    }
  } finally {
    reader.close();
  }
}

async function* nativeBlocks(
  reader: ByteReader,
  first: NativeAudio,
  { name, signal, onWarning }: ContainerOptions & { readonly name: string },
): AsyncGenerator<AudioBlock> {
  let frames = 0;
  const log = new DamageLog();
  async function* recordings(): AsyncGenerator<Samples> {
    for (let next: NativeAudio | undefined = first; next; next = await openNext(reader, log)) {
      try {
        yield* next.read();
      } catch (error) {
        if (frames === 0 || !isUnreadable(error)) throw error;
        log.add();
      }
      log.places += next.log.places;
      log.unreadBytes += next.log.unreadBytes;
      log.missingEnd ??= next.log.missingEnd && `${next.log.missingEnd}, after frame ${frames}`;
    }
  }
  for await (const block of inOneFormat(inTurns(recordings()), { log, onWarning })) {
    signal.throwIfAborted();
    frames += framesOf(block);
    yield block;
  }
  signal.throwIfAborted();
  const { places, missingEnd, unreadBytes } = log;
  if (frames === 0) {
    if (places === 0 && !missingEnd && unreadBytes === 0)
      throw new RxscribeError('audio-empty', `Cannot read ${name}: it has no samples.`);
    throw new RxscribeError('audio-corrupt', `Cannot read ${name}: all of it is damaged.`);
  }
  if (places > 0) {
    const message = `The ${name} audio is damaged: ${counted(places, 'part')} could not be decoded and ${places === 1 ? 'is' : 'are'} left out.`;
    onWarning({ code: 'audio-damaged', message });
  }
  if (missingEnd) {
    onWarning({ code: 'audio-truncated', message: `The ${name} audio is cut short: ${missingEnd}.` });
  }
  if (unreadBytes > 0) {
    const message = `The ${name} audio is followed by ${counted(unreadBytes, 'byte')} that could not be read.`;
    onWarning({ code: 'audio-unread', message });
  }
}
