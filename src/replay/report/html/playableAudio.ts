import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { sniffContainer } from '../../../audio/containers/sniff.ts';
import type { AudioBlock } from '../../../audio/format/format.ts';
import { createRemix } from '../../../audio/format/remix.ts';
import { containerBlocks } from '../../../audio/source/containerBlocks.ts';
import { fileBlocks } from '../../../audio/source/file.ts';
import { findProgram, programMissing, watchChild } from '../../../audio/source/program.ts';
import { messageOf, RxscribeError } from '../../../base/errors.ts';
import type { FileMedia } from '../report.ts';
import { createPeaks, type Peaks } from './peaks.ts';

export const OPUS_TYPE = 'audio/ogg; codecs=opus';

/** Mono speech at the least effort and with the longest packets: a tenth of the time of the defaults, and 4 % larger. */
const OPUS = ['-c:a', 'libopus', '-b:a', '24k', '-compression_level', '0', '-frame_duration', '120'];

/** An encoder of one channel to Opus in Ogg, by ffmpeg; the same samples give the same bytes. */
export interface OpusEncoder {
  /** Encodes samples, in order; resolves when ffmpeg accepts more. */
  push(samples: Float32Array): Promise<void>;
  /** Resolves with the file, or undefined when it is larger than `maxBytes`. Rejects when this ffmpeg cannot encode Opus. */
  finish(): Promise<Uint8Array | undefined>;
  /** Terminates ffmpeg. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts an encoder. @throws RxscribeError `program-missing` without ffmpeg */
export function createOpusEncoder(options: { sampleRate: number; maxBytes: number }): OpusEncoder {
  const { sampleRate, maxBytes } = options;
  const program = findProgram('ffmpeg');
  if (!program) throw programMissing('encode audio', 'ffmpeg');
  const input = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0'];
  const output = [...OPUS, '-bitexact', '-f', 'ogg', 'pipe:1'];
  const child = spawn(program, ['-nostats', '-loglevel', 'error', ...input, ...output], { stdio: 'pipe' });
  const ended = watchChild(child);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  child.stdout.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
    else pieces.length = 0;
  });
  return {
    async push(samples) {
      const { buffer, byteOffset, byteLength } = samples;
      const isRoom = child.stdin.write(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
      // A failure to write is reported by the exit of ffmpeg.
      if (!isRoom) await Promise.race([once(child.stdin, 'drain').catch(() => {}), ended]);
    },
    async finish() {
      child.stdin.end();
      const { code, stderrTail } = await ended;
      if (code !== 0)
        throw new RxscribeError(
          'program-failed',
          `Cannot encode the audio: ${stderrTail.replace(/\.$/, '')}.`,
        );
      return bytes <= maxBytes ? Buffer.concat(pieces) : undefined;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

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
 * Returns the waveform and the sound of audio: Opus if ffmpeg is available, else a WAV file as it is. Audio that cannot be
 * read has neither, and a reason.
 *
 * @throws the signal's reason
 */
export async function playableAudio(
  audio: FileMedia['audio'],
  options: PlayableOptions,
): Promise<PlayableAudio> {
  try {
    return await encoded(audio, options);
  } catch (error) {
    options.signal.throwIfAborted();
    return { peaks: null, sound: null, missing: messageOf(error) };
  }
}

async function encoded(audio: FileMedia['audio'], options: PlayableOptions): Promise<PlayableAudio> {
  const peaks = createPeaks();
  const remix = createRemix(1, onWarning);
  const canEncode = findProgram('ffmpeg') !== undefined;
  let encoder: OpusEncoder | undefined;
  try {
    for await (const { samples, channels, sampleRate } of blocksOf(audio, options)) {
      const mono = remix(samples, channels);
      peaks.push(mono);
      if (canEncode) encoder ??= createOpusEncoder({ sampleRate, maxBytes: options.maxBytes });
      await encoder?.push(mono);
    }
    if (!encoder) return await unencoded(peaks.peaks(), audio, options);
    const opus = await encoder.finish();
    return withSound(peaks.peaks(), opus && { type: OPUS_TYPE, bytes: opus });
  } finally {
    await encoder?.[Symbol.asyncDispose]();
  }
}

/** Adds the file itself as its sound, if every browser can play it. */
async function unencoded(
  peaks: Peaks,
  audio: FileMedia['audio'],
  { signal, maxBytes }: PlayableOptions,
): Promise<PlayableAudio> {
  const file: AsyncIterable<Uint8Array> =
    typeof audio === 'string' ? createReadStream(audio, { signal }) : audio();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of file) {
    if (bytes === 0 && sniffContainer(piece) !== 'wav') {
      return { peaks, sound: null, missing: 'The sound of other files than WAV requires ffmpeg.' };
    }
    bytes += piece.length;
    if (bytes > maxBytes) return withSound(peaks, undefined);
    pieces.push(piece);
  }
  return withSound(peaks, { type: 'audio/wav', bytes: Buffer.concat(pieces) });
}

function withSound(peaks: Peaks, sound: PlayableAudio['sound'] | undefined): PlayableAudio {
  if (sound) return { peaks, sound, missing: null };
  return { peaks, sound: null, missing: TOO_LARGE };
}

const TOO_LARGE =
  'The page would be too large. Listen to the file itself, or write a page of fewer files: rxscribe replay FILE --report FILE.html';

/** Does nothing: the run that streamed the file has reported its damage. */
const onWarning = () => {};

function blocksOf(audio: FileMedia['audio'], { signal }: PlayableOptions): AsyncIterable<AudioBlock> {
  return typeof audio === 'string'
    ? fileBlocks(audio, { signal, onWarning })
    : containerBlocks(audio(), { signal, onWarning });
}
