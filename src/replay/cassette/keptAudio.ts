import { createReadStream } from 'node:fs';
import type { AudioBlock, PcmFormat } from '../../audio/format/format.ts';
import { audioFileNames, isWavBeside } from './audioPlace.ts';
import { AudioRecorder } from './audioRecorder.ts';
import type { AudioDataLine, AudioLine, EndLine } from './cassette.ts';
import type { CassetteFiles } from './cassetteFiles.ts';
import { encodeFlac } from './encodeFlac.ts';
import type { GrowingFile } from './growingFile.ts';
import { InsideSink } from './insideSink.ts';
import type { RecordPlaces } from './recordOptions.ts';

type EndAudio = NonNullable<EndLine['audio']>;

/** The audio file of a cassette that is being recorded: WAV as it comes, and FLAC at the end where that is asked for. */
export class KeptAudio {
  readonly #files: CassetteFiles;
  readonly #places: RecordPlaces;
  readonly #writeData: (line: AudioDataLine) => void;
  readonly #names: { readonly wav: string; readonly flac: string };
  #file: GrowingFile | undefined;
  #inside: InsideSink | undefined;
  #recorder: AudioRecorder | undefined;

  constructor(files: CassetteFiles, places: RecordPlaces, writeData: (line: AudioDataLine) => void) {
    this.#files = files;
    this.#places = places;
    this.#writeData = writeData;
    this.#names = audioFileNames(places.path);
  }

  /** Makes the file. Gives what the audio line says of it. */
  start(format: PcmFormat): Pick<AudioLine, 'container' | 'file'> {
    if (isWavBeside(this.#places)) this.#file = this.#files.make(this.#names.wav);
    else this.#inside = new InsideSink(this.#writeData);
    this.#recorder = new AudioRecorder(format, this.#file ?? this.#inside!);
    return { container: 'wav', ...(this.#file && { file: this.#names.wav }) };
  }

  /** A block, behind a gap where it does not begin where the last one ended. */
  write(block: AudioBlock): { readonly gap?: { readonly start: number; readonly frames: number } } {
    const start = this.#recorder!.frames;
    const frames = block.startFrame - start;
    if (frames > 0) this.#recorder!.silence(frames);
    this.#recorder!.write(block.samples);
    return frames > 0 ? { gap: { start, frames } } : {};
  }

  /** Where the source stands. */
  get frames(): number {
    return this.#recorder?.frames ?? 0;
  }

  /** Makes the WAV file whole; undefined when there was no audio. */
  finish(): EndAudio | undefined {
    if (!this.#recorder) return undefined;
    const sha256 = this.#recorder.finish();
    this.#inside?.flush();
    this.#file?.close();
    return { container: 'wav', ...(this.#file && { file: this.#names.wav }), sha256 };
  }

  /** Makes FLAC of the finished WAV file, where that is asked for. @throws RxscribeError `program-failed`, `store` */
  async convert(audio: EndAudio, signal: AbortSignal): Promise<EndAudio> {
    if (this.#places.container !== 'flac') return audio;
    const isInside = this.#places.audio === 'inside';
    const { wav, flac } = this.#names;
    this.#files.make(flac).close();
    try {
      await encodeFlac(this.#files.pathOf(wav), this.#files.pathOf(flac), { signal });
      if (isInside) await this.#takeInside(flac);
    } catch (error) {
      this.#files.remove(flac);
      throw error;
    }
    this.#files.remove(wav);
    return { container: 'flac', ...(!isInside && { file: flac }), sha256: audio.sha256 };
  }

  /** Idempotent. */
  close(): void {
    this.#file?.close();
  }

  async #takeInside(name: string): Promise<void> {
    const sink = new InsideSink(this.#writeData);
    for await (const bytes of createReadStream(this.#files.pathOf(name))) sink.append(bytes as Buffer);
    sink.flush();
    this.#files.remove(name);
  }
}
