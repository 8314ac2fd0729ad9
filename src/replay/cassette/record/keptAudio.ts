import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import type { AudioBlock, PcmFormat } from '../../../audio/format/format.ts';
import { findProgram, programMissing, watchChild } from '../../../audio/source/program.ts';
import { RxscribeError } from '../../../base/errors.ts';
import { audioFileNames } from '../audioNames.ts';
import type { LineOf } from '../cassetteSchema.ts';
import { AudioRecorder, InsideSink } from './audioRecorder.ts';
import type { CassetteFiles } from './cassetteFiles.ts';
import type { GrowingFile } from './growingFile.ts';
import { isWavBeside, type RecordPlaces } from './recordOptions.ts';

type EndAudio = NonNullable<LineOf<'end'>['audio']>;

/** The audio file of a cassette that is being recorded: WAV during the recording, and FLAC at the end if requested. */
export class KeptAudio {
  readonly #files: CassetteFiles;
  readonly #places: RecordPlaces;
  readonly #writeData: (line: LineOf<'audio_data'>) => void;
  readonly #names: { readonly wav: string; readonly flac: string };
  #file: GrowingFile | undefined;
  #inside: InsideSink | undefined;
  #recorder: AudioRecorder | undefined;

  constructor(files: CassetteFiles, places: RecordPlaces, writeData: (line: LineOf<'audio_data'>) => void) {
    this.#files = files;
    this.#places = places;
    this.#writeData = writeData;
    this.#names = audioFileNames(places.path);
  }

  /** Makes the file and returns its fields of the audio line. */
  start(format: PcmFormat): Pick<LineOf<'audio'>, 'container' | 'file'> {
    if (isWavBeside(this.#places)) this.#file = this.#files.make(this.#names.wav);
    else this.#inside = new InsideSink(this.#writeData);
    this.#recorder = new AudioRecorder(format, this.#file ?? this.#inside!);
    return { container: 'wav', file: this.#file && this.#names.wav };
  }

  /** Writes a block, after a gap if it does not begin at the end of the block before. */
  write(block: AudioBlock): { readonly gap?: { readonly start: number; readonly frames: number } } {
    const start = this.#recorder!.frames;
    const frames = block.startFrame - start;
    if (frames > 0) this.#recorder!.silence(frames);
    this.#recorder!.write(block.samples);
    return frames > 0 ? { gap: { start, frames } } : {};
  }

  /** Frame up to which the source has delivered audio. */
  get frames(): number {
    return this.#recorder?.frames ?? 0;
  }

  /** Completes the WAV file; undefined without audio. */
  finish(): EndAudio | undefined {
    if (!this.#recorder) return undefined;
    const sha256 = this.#recorder.finish();
    this.#inside?.flush();
    this.#file?.close();
    return { container: 'wav', file: this.#file && this.#names.wav, sha256 };
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
    this.#file?.close();
  }

  async #embed(name: string): Promise<void> {
    const sink = new InsideSink(this.#writeData);
    for await (const bytes of createReadStream(this.#files.pathOf(name))) sink.append(bytes as Buffer);
    sink.flush();
    this.#files.remove(name);
  }
}

/**
 * Encodes a WAV file as FLAC with ffmpeg and replaces an existing FLAC file.
 *
 * @throws RxscribeError `program-missing` or `program-failed`
 */
async function encodeFlac(from: string, to: string, signal: AbortSignal): Promise<void> {
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
