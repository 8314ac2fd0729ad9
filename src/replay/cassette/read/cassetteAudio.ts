import { createHash } from 'node:crypto';
import { bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import { encodePcm } from '../../../audio/pcm/pcm.ts';
import { createWavHeaderReader } from '../../../audio/pcm/wavHeader.ts';
import { containerBlocks } from '../../../audio/source/containerBlocks.ts';
import { RxscribeError, reasonOf } from '../../../base/errors.ts';
import type { CassetteAudio } from '../cassette.ts';
import { CassetteError } from '../cassetteError.ts';
import { asInFile, formatOf } from '../cassetteLines.ts';
import { type AudioFile, audioFileOf } from './audioFile.ts';
import type { ParsedCassette } from './cassetteParser.ts';

/** The number of frames and the hash of the samples of a file. */
interface Samples {
  readonly frames: number;
  readonly sha256: string;
}

/**
 * Returns the audio of a cassette, after reading it once to verify that it is the recorded audio. A recording that was
 * cut off has audio up to that point.
 *
 * @throws CassetteError for missing, damaged or other audio
 * @throws the signal's reason
 */
export async function cassetteAudio(
  path: string,
  parsed: ParsedCassette,
  signal: AbortSignal,
): Promise<CassetteAudio | undefined> {
  const { audioLine, lines, end, lastLine } = parsed;
  const file = await audioFileOf(path, parsed);
  if (!file || !audioLine) return undefined;
  const format = formatOf(audioLine);
  // The source of a recording that was cut off had delivered audio up to its last block.
  const maxFrames = end?.frames ?? lines.findLast(line => line.type === 'block')?.frame ?? 0;
  const samples = await readSamples(file, format, maxFrames, signal).catch(cause => {
    signal.throwIfAborted();
    throw new CassetteError({ path, line: lastLine }, `audio: ${reasonOf(cause)}`, { cause });
  });
  const fault = end && faultOf(end, samples);
  if (fault) throw new CassetteError({ path, line: lastLine }, `audio: ${fault}`);
  const frames = Math.min(samples.frames, maxFrames);
  if (frames === 0) return undefined;
  return {
    format,
    frames,
    gaps: gapsOf(parsed, frames),
    path: file.path,
    bytes: file.bytes,
  };
}

async function readSamples(
  file: AudioFile,
  format: PcmFormat,
  maxFrames: number,
  signal: AbortSignal,
): Promise<Samples> {
  const frameBytes = bytesPerFrame(format);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of rawSamples(file, format, signal)) {
    hash.update(piece);
    bytes += piece.length;
    // The first surplus frame is enough to see that there are more: some bytes of FLAC can be hours of silence.
    if (bytes > maxFrames * frameBytes) break;
  }
  return { frames: Math.floor(bytes / frameBytes), sha256: hash.digest('hex') };
}

function faultOf({ frames, audio }: NonNullable<ParsedCassette['end']>, found: Samples): string | undefined {
  if (frames > found.frames) return `expected ${frames} frames, found ${found.frames}`;
  if (frames < found.frames) return `expected ${frames} frames, found more`;
  if (audio?.sha256 === found.sha256) return undefined;
  return `expected samples with SHA-256 ${audio?.sha256}, found ${found.sha256}`;
}

function gapsOf({ lines }: Pick<ParsedCassette, 'lines'>, frames: number): CassetteAudio['gaps'] {
  return lines
    .filter(line => line.type === 'gap')
    .filter(({ start }) => start < frames)
    .map(({ start, frames: length }) => ({ startFrame: start, frames: Math.min(length, frames - start) }));
}

/**
 * Reads the samples of an audio file as raw bytes of a format (S16BE as S16LE, which files have), in pieces of any
 * size: those of WAV as they are, those of FLAC decoded.
 *
 * @throws RxscribeError of `src/audio`, or `audio-unsupported` when the file is of another format
 */
export async function* rawSamples(
  { container, bytes }: Pick<AudioFile, 'container' | 'bytes'>,
  format: PcmFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const read = container === 'wav' ? wavSamples : flacSamples;
  yield* read(bytes(), asInFile(format), signal);
}

async function* wavSamples(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = createWavHeaderReader();
  let rest = Number.POSITIVE_INFINITY;
  let isChecked = false;
  for await (const piece of bytes) {
    signal.throwIfAborted();
    const behind = reader.push(piece);
    if (!reader.header) continue;
    if (!isChecked) {
      const { format: found, dataBytes } = reader.header;
      checkFormat(format, found);
      rest = dataBytes ?? rest;
      isChecked = true;
    }
    const samples = behind.subarray(0, Math.min(behind.length, rest));
    rest -= samples.length;
    if (samples.length > 0) yield samples;
  }
  if (!isChecked) throw new RxscribeError('audio-corrupt', 'The WAV header is incomplete.');
}

async function* flacSamples(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const onWarning = () => {};
  for await (const block of containerBlocks(bytes, { signal, onWarning })) {
    checkFormat(format, { ...block, sampleFormat: format.sampleFormat });
    yield encodePcm(block.samples, format.sampleFormat);
  }
}

interface FoundFormat extends Omit<PcmFormat, 'sampleFormat'> {
  readonly sampleFormat: string;
}

function checkFormat(wanted: FoundFormat, found: FoundFormat): void {
  const [a, b] = [nameOf(wanted), nameOf(found)];
  if (a !== b) throw new RxscribeError('audio-unsupported', `The audio must be ${a}, not ${b}.`);
}

function nameOf({ sampleFormat, sampleRate, channels }: FoundFormat): string {
  return `${sampleFormat} of ${sampleRate} Hz, channels: ${channels}`;
}
