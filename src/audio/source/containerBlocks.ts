import { RxscribeError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { ByteReader } from '../containers/byteReader.ts';
import { inOneFormat, type NativeAudio } from '../containers/nativeAudio.ts';
import { detectContainer, inTurns, openNative } from '../containers/openNative.ts';
import { CONTAINER_NAMES, type Container } from '../containers/sniff.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import type { AudioWarning } from './blockSource.ts';
import { decodeBytes } from './decode.ts';

export interface ContainerOptions {
  /** Aborting it must also end `bytes`. */
  readonly signal: AbortSignal;
  readonly onWarning: (warning: AudioWarning) => void;
  /** Reads formats that are not read natively. Default: pipes the bytes to ffmpeg. */
  readonly decode?: (container: Container | undefined) => AsyncIterable<AudioBlock>;
}

/**
 * Yields the blocks of audio in a container, which is detected from the bytes. WAV, FLAC, MP3, Ogg, Matroska, WebM, AIFF, W64
 * and CAF are read natively with the codecs that are common in them; ffmpeg decodes everything else.
 *
 * The readable part of damaged native audio is yielded, and a warning follows. A change of the sample rate or
 * the channels within it is evened out.
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
    if (audio) yield* nativeBlocks(audio, CONTAINER_NAMES[container!], options);
    else {
      const { decode = () => decodeBytes(reader.fromStart(), { ...options, container }) } = options;
      yield* decode(container);
    }
  } finally {
    reader.close();
  }
}

async function* nativeBlocks(
  audio: NativeAudio,
  name: string,
  { signal, onWarning }: ContainerOptions,
): AsyncGenerator<AudioBlock> {
  let frames = 0;
  for await (const block of inOneFormat(inTurns(audio.read()))) {
    signal.throwIfAborted();
    frames += framesOf(block);
    yield block;
  }
  signal.throwIfAborted();
  const { places, missingEnd } = audio.log;
  if (frames === 0) {
    if (places === 0 && !missingEnd)
      throw new RxscribeError('audio-empty', `Cannot read ${name}: it has no samples.`);
    throw new RxscribeError('audio-corrupt', `Cannot read ${name}: all of it is damaged.`);
  }
  if (places > 0) {
    const message = `The ${name} audio is damaged: ${counted(places, 'part')} could not be decoded and ${places === 1 ? 'is' : 'are'} left out.`;
    onWarning({ code: 'audio-damaged', message });
  }
  const message = `The ${name} audio is cut short: ${missingEnd}, after frame ${frames}.`;
  if (missingEnd) onWarning({ code: 'audio-truncated', message });
}
