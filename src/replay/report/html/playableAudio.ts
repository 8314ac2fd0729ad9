import { createReadStream } from 'node:fs';
import { sniffContainer } from '../../../audio/containers/sniff.ts';
import { remix } from '../../../audio/format/channels.ts';
import type { AudioBlock } from '../../../audio/format/format.ts';
import { containerBlocks } from '../../../audio/source/containerBlocks.ts';
import { fileBlocks } from '../../../audio/source/file.ts';
import { findProgram } from '../../../audio/source/program.ts';
import { messageOf } from '../../../base/errors.ts';
import type { FileMedia } from '../report.ts';
import { createOpusEncoder, OPUS_TYPE, type OpusEncoder, OpusError } from './opusEncoder.ts';
import { createPeaks, type Peaks } from './peaks.ts';

/** Audio for a page. */
export interface PlayableAudio {
  readonly peaks: Peaks | null;
  /** Sound for the browser, when there is room for it. */
  readonly sound: { readonly type: string; readonly bytes: Uint8Array } | null;
  /** Reason for missing sound. */
  readonly missing: string | null;
}

export interface PlayableOptions {
  readonly signal: AbortSignal;
  /** Maximum size of the sound in bytes. */
  readonly maxBytes: number;
}

/**
 * Returns the waveform and the sound of audio: Opus if ffmpeg is available, else a WAV file as it is. Audio that cannot
 * be read has neither, and a reason.
 *
 * @throws the signal's reason
 */
export async function playableAudio(
  audio: FileMedia['audio'],
  options: PlayableOptions,
): Promise<PlayableAudio> {
  try {
    return await (findProgram('ffmpeg') ? encoded(audio, options) : asItIs(audio, options));
  } catch (error) {
    options.signal.throwIfAborted();
    return { peaks: null, sound: null, missing: messageOf(error) };
  }
}

async function encoded(audio: FileMedia['audio'], options: PlayableOptions): Promise<PlayableAudio> {
  const peaks = createPeaks();
  let encoder: OpusEncoder | undefined;
  try {
    for await (const { samples, channels, sampleRate } of blocksOf(audio, options)) {
      encoder ??= createOpusEncoder({ sampleRate, maxBytes: options.maxBytes });
      const mono = remix(samples, channels, 1);
      peaks.push(mono);
      await encoder.push(mono);
    }
    const opus = await encoder?.finish();
    return withSound(peaks.peaks(), opus && { type: OPUS_TYPE, bytes: opus });
  } catch (error) {
    // This ffmpeg may be able to decode, but not to encode Opus.
    if (error instanceof OpusError) return await asItIs(audio, options);
    throw error;
  } finally {
    await encoder?.[Symbol.asyncDispose]();
  }
}

/** Returns the file itself if every browser can play it. */
async function asItIs(audio: FileMedia['audio'], options: PlayableOptions): Promise<PlayableAudio> {
  const peaks = createPeaks();
  for await (const { samples, channels } of blocksOf(audio, options)) peaks.push(remix(samples, channels, 1));
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of bytesOf(audio, options)) {
    if (bytes === 0 && sniffContainer(piece) !== 'wav') {
      return { peaks: peaks.peaks(), sound: null, missing: 'No ffmpeg that encodes Opus was found.' };
    }
    bytes += piece.length;
    if (bytes > options.maxBytes) return withSound(peaks.peaks(), undefined);
    pieces.push(piece);
  }
  return withSound(peaks.peaks(), { type: 'audio/wav', bytes: Buffer.concat(pieces) });
}

function withSound(peaks: Peaks, sound: PlayableAudio['sound'] | undefined): PlayableAudio {
  if (sound) return { peaks, sound, missing: null };
  return { peaks, sound: null, missing: TOO_LARGE };
}

const TOO_LARGE =
  'The page would be too large. Listen to the file itself, or write a page of fewer files: rxscribe replay FILE --report FILE.html';

function blocksOf(audio: FileMedia['audio'], { signal }: PlayableOptions): AsyncIterable<AudioBlock> {
  // Damage is reported by the run that streamed the file.
  const onWarning = () => {};
  return typeof audio === 'string'
    ? fileBlocks(audio, { signal, onWarning })
    : containerBlocks(audio(), { signal, onWarning });
}

function bytesOf(audio: FileMedia['audio'], { signal }: PlayableOptions): AsyncIterable<Uint8Array> {
  return typeof audio === 'string' ? createReadStream(audio, { signal }) : audio();
}
