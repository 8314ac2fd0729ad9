import type { OnAudioWarning } from '../../audio/format/audioWarning.ts';
import { interleave } from '../../audio/format/channels.ts';
import type { AudioContentType } from '../../audio/format/contentType.ts';
import { type AudioBlock, BYTES_PER_SAMPLE, type PcmFormat } from '../../audio/format/format.ts';
import { createRemix } from '../../audio/format/remix.ts';
import { decodePcm, toInt16 } from '../../audio/pcm/pcm.ts';
import { createPcmReader } from '../../audio/pcm/pcmReader.ts';
import { createResampler, type Resampler } from '../../audio/resample/resampler.ts';
import { containerBlocks } from '../../audio/source/containerBlocks.ts';

export interface AudioInputOptions {
  /** Sample rate of the output in Hz. */
  readonly sampleRate: number;
  /** Bytes decoded at once. */
  readonly sliceBytes: number;
  /** Aborting must also end the messages. */
  readonly signal: AbortSignal;
  readonly onWarning: OnAudioWarning;
}

/**
 * Converts the messages of a client to the input of a recogniser: mono, 16 bits, at the recogniser's rate. Reads no
 * message before its audio is requested.
 *
 * @throws RxscribeError `audio-empty`, `audio-corrupt`, `audio-unsupported`, `program-missing` or `program-failed`
 */
export async function* recognizerAudio(
  messages: AsyncIterable<Uint8Array>,
  contentType: AudioContentType,
  options: AudioInputOptions,
): AsyncGenerator<Int16Array> {
  const remix = createRemix(1, options.onWarning);
  let resampler: Resampler | undefined;
  for await (const { samples, channels, sampleRate } of blocksOf(messages, contentType, options)) {
    resampler ??= createResampler({ inputRate: sampleRate, outputRate: options.sampleRate, channels: 1 });
    yield toInt16(resampler.process(remix(samples, channels)));
  }
  if (resampler) yield toInt16(resampler.flush());
}

type Block = Pick<AudioBlock, 'samples' | 'channels' | 'sampleRate'>;

function blocksOf(
  messages: AsyncIterable<Uint8Array>,
  contentType: AudioContentType,
  options: AudioInputOptions,
): AsyncIterable<Block> {
  const { sliceBytes } = options;
  if (contentType.kind !== 'raw') return containerBlocks(slices(messages, sliceBytes), options);
  const { format, layout } = contentType;
  return layout === 'interleaved'
    ? interleavedBlocks(slices(messages, sliceBytes), format)
    : planarBlocks(messages, format, sliceBytes);
}

async function* slices(messages: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    for (let at = 0; at < message.length; at += bytes) yield message.subarray(at, at + bytes);
  }
}

async function* interleavedBlocks(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
): AsyncGenerator<Block> {
  const reader = createPcmReader(format);
  for await (const piece of bytes) {
    const block = reader.push(piece);
    if (block) yield block;
  }
}

/** Decodes planar audio, where each message is separate. An incomplete frame at the end of a message is dropped. */
async function* planarBlocks(
  messages: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  sliceBytes: number,
): AsyncGenerator<Block> {
  const { sampleFormat, sampleRate, channels } = format;
  const width = BYTES_PER_SAMPLE[sampleFormat];
  const sliceFrames = Math.max(1, Math.floor(sliceBytes / (width * channels)));
  for await (const message of messages) {
    const frames = Math.floor(message.length / (width * channels));
    for (let frame = 0; frame < frames; frame += sliceFrames) {
      const count = Math.min(sliceFrames, frames - frame);
      const planar = new Float32Array(count * channels);
      for (let channel = 0; channel < channels; channel++) {
        const at = (channel * frames + frame) * width;
        planar.set(decodePcm(message.subarray(at, at + count * width), format), channel * count);
      }
      yield { samples: interleave(planar, channels), channels, sampleRate };
    }
  }
}
