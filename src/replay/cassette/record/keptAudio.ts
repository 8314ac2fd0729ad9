import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type AudioBlock, bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import { encodePcm } from '../../../audio/pcm/pcm.ts';
import { MAX_WAV_DATA_BYTES, writeWav } from '../../../audio/pcm/wav.ts';
import { findProgram, programMissing, watchChild } from '../../../audio/source/program.ts';
import { RxscribeError } from '../../../base/errors.ts';
import { audioFileNames } from '../audioNames.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { asInFile } from '../cassetteLines.ts';
import type { LineOf } from '../cassetteSchema.ts';
import type { CassetteFiles } from './cassetteFiles.ts';
import type { GrowingFile } from './growingFile.ts';
import { isWavBeside, type RecordPlaces } from './recordOptions.ts';

/** Bytes of the longest piece, before base64. */
const PIECE_BYTES = (CASSETTE_LIMITS.audioDataLength / 4) * 3;

/** Writes the bytes of an audio file as lines of a cassette. */
export class InsideSink {
  readonly #write: (line: LineOf<'audio_data'>) => void;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(write: (line: LineOf<'audio_data'>) => void) {
    this.#write = write;
  }

  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= PIECE_BYTES) this.#cut(PIECE_BYTES);
  }

  /** Writes the remaining bytes. */
  flush(): void {
    this.#cut(1);
  }

  #cut(minBytes: number): void {
    const all = Buffer.concat(this.#waiting, this.#bytes);
    let at = 0;
    for (; all.length - at >= minBytes; at += PIECE_BYTES) {
      const data = all.toString('base64', at, at + PIECE_BYTES);
      this.#write({ type: 'audio_data', data });
    }
    const rest = all.subarray(at);
    this.#waiting = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
  }
}

type EndAudio = NonNullable<LineOf<'end'>['audio']>;

/** Frames per piece of silence. */
const SILENCE_FRAMES = 16_384;

/** The WAV file of a recording. */
interface Wav {
  /** Format in the file. */
  readonly format: PcmFormat;
  readonly sink: GrowingFile | InsideSink;
}

/** The audio file of a cassette that is being recorded: WAV during the recording, and FLAC at the end if requested. */
export class KeptAudio {
  readonly #files: CassetteFiles;
  readonly #places: RecordPlaces;
  readonly #writeData: (line: LineOf<'audio_data'>) => void;
  readonly #names: { readonly wav: string; readonly flac: string };
  readonly #hash = createHash('sha256');
  #wav: Wav | undefined;
  #frames = 0;

  constructor(files: CassetteFiles, places: RecordPlaces, writeData: (line: LineOf<'audio_data'>) => void) {
    this.#files = files;
    this.#places = places;
    this.#writeData = writeData;
    this.#names = audioFileNames(places.path);
  }

  /** Makes the file and returns its fields of the audio line. The header has no length until the file is complete. */
  start(format: PcmFormat): Pick<LineOf<'audio'>, 'container' | 'file'> {
    const isBeside = isWavBeside(this.#places);
    const sink = isBeside ? this.#files.make(this.#names.wav) : new InsideSink(this.#writeData);
    this.#wav = { format: asInFile(format), sink };
    sink.append(headerOf(this.#wav, 0));
    return this.#kept;
  }

  /**
   * Writes a block, after a gap if it does not begin at the end of the block before.
   *
   * @throws RxscribeError `store` when the audio does not fit into a WAV file, or cannot be written
   */
  write(block: AudioBlock): { readonly gap?: { readonly start: number; readonly frames: number } } {
    if (!this.#wav) throw new Error('audio was written before it was started');
    const start = this.#frames;
    const frames = block.startFrame - start;
    if (frames > 0) this.#writeSilence(this.#wav, frames);
    this.#writeSamples(this.#wav, block.samples);
    return frames > 0 ? { gap: { start, frames } } : {};
  }

  /** Frame up to which the source has delivered audio. */
  get frames(): number {
    return this.#frames;
  }

  /** Completes the WAV file; undefined without audio. */
  finish(): EndAudio | undefined {
    if (!this.#wav) return undefined;
    const { format, sink } = this.#wav;
    if (sink instanceof InsideSink) {
      // The header stays without a length.
      sink.flush();
    } else {
      const isOdd = (this.#frames * bytesPerFrame(format)) % 2 === 1;
      if (isOdd) sink.append(new Uint8Array(1));
      sink.replaceStart(headerOf(this.#wav, this.#frames));
      sink.close();
    }
    return { ...this.#kept, sha256: this.#hash.digest('hex') };
  }

  /** Encodes the completed WAV file as FLAC if requested. @throws RxscribeError `program-failed`, `store` */
  async convert(audio: EndAudio, signal: AbortSignal): Promise<EndAudio> {
    if (this.#places.container !== 'flac') return audio;
    const isInside = this.#places.audio === 'inside';
    const { wav, flac } = this.#names;
    this.#files.make(flac).close();
    try {
      await encodeFlac(this.#files.pathOf(wav), this.#files.pathOf(flac), signal);
      if (isInside) await this.#embed(flac);
    } catch (error) {
      this.#files.remove(flac);
      throw error;
    }
    this.#files.remove(wav);
    return { container: 'flac', file: isInside ? undefined : flac, sha256: audio.sha256 };
  }

  /** Idempotent. */
  close(): void {
    const sink = this.#wav?.sink;
    if (sink && !(sink instanceof InsideSink)) sink.close();
  }

  /** Fields of the WAV file in the cassette. */
  get #kept() {
    return { container: 'wav', file: isWavBeside(this.#places) ? this.#names.wav : undefined } as const;
  }

  #writeSilence(wav: Wav, frames: number): void {
    this.#checkRoom(wav, frames);
    for (let rest = frames; rest > 0; rest -= SILENCE_FRAMES) {
      this.#writeSamples(wav, new Float32Array(Math.min(rest, SILENCE_FRAMES) * wav.format.channels));
    }
  }

  #writeSamples(wav: Wav, samples: Float32Array): void {
    const frames = samples.length / wav.format.channels;
    this.#checkRoom(wav, frames);
    const bytes = encodePcm(samples, wav.format.sampleFormat);
    this.#hash.update(bytes);
    wav.sink.append(bytes);
    this.#frames += frames;
  }

  #checkRoom({ format }: Wav, frames: number): void {
    const bytes = (this.#frames + frames) * bytesPerFrame(format);
    if (bytes <= MAX_WAV_DATA_BYTES) return;
    throw new RxscribeError(
      'store',
      `Cannot record ${bytes} bytes of audio: a WAV file holds ${MAX_WAV_DATA_BYTES} bytes at most.`,
    );
  }

  async #embed(name: string): Promise<void> {
    const sink = new InsideSink(this.#writeData);
    for await (const bytes of createReadStream(this.#files.pathOf(name))) sink.append(bytes as Buffer);
    sink.flush();
    this.#files.remove(name);
  }
}

function headerOf({ format }: Wav, frames: number): Uint8Array {
  const [header] = writeWav(format, frames, []).bytes;
  return header!;
}

/**
 * Encodes a WAV file as FLAC with ffmpeg and replaces an existing FLAC file.
 *
 * @throws RxscribeError `program-missing` or `program-failed`
 */
export async function encodeFlac(from: string, to: string, signal: AbortSignal): Promise<void> {
  const program = findProgram('ffmpeg');
  if (!program) throw programMissing('record as FLAC', 'ffmpeg');
  // Without version and date in the file, the same samples give the same bytes.
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  const quiet = ['-nostdin', '-nostats', '-loglevel', 'error', '-y'];
  // Without the protocol, a name such as `-y` or `http://…` would be an option or an address.
  const files = ['-f', 'wav', '-i', `file:${from}`, ...plain, '-c:a', 'flac', '-f', 'flac', `file:${to}`];
  const child = spawn(program, [...quiet, ...files], { stdio: ['ignore', 'ignore', 'pipe'], signal });
  const { code, stderrTail, error } = await watchChild(child);
  signal.throwIfAborted();
  if (code === 0) return;
  const found = error?.message ?? (stderrTail || `ffmpeg ended with ${code}`);
  throw new RxscribeError('program-failed', `Cannot encode FLAC: ${found.replace(/\.$/, '')}.`, {
    cause: error,
  });
}
