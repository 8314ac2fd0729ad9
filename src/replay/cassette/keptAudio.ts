import { createReadStream, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { AudioBlock, PcmFormat } from '../../audio/format.ts';
import { audioFileNames, besideCassette } from './audioPlace.ts';
import { AudioRecorder } from './audioRecorder.ts';
import type { AudioDataLine, AudioLine, EndLine } from './cassette.ts';
import { encodeFlac } from './encodeFlac.ts';
import { GrowingFile } from './growingFile.ts';
import { InsideSink } from './insideSink.ts';
import { makeRoom } from './makeRoom.ts';
import type { RecordPlaces } from './recordOptions.ts';

type EndAudio = NonNullable<EndLine['audio']>;

/** The audio file of a cassette that is being recorded: WAV as it comes, and FLAC at the end where that is asked for. */
export class KeptAudio {
  readonly #places: RecordPlaces;
  readonly #writeData: (line: AudioDataLine) => void;
  readonly #names: { readonly wav: string; readonly flac: string };
  #file: GrowingFile | undefined;
  #inside: InsideSink | undefined;
  #recorder: AudioRecorder | undefined;

  /** @throws RxscribeError `store` when there is such a file already, or the cassette itself */
  constructor(places: RecordPlaces, writeData: (line: AudioDataLine) => void) {
    this.#places = places;
    this.#writeData = writeData;
    this.#names = audioFileNames(places.path);
    makeRoom([places.path, ...this.#paths()], places);
  }

  /** Makes the file. Gives what the audio line says of it. */
  start(format: PcmFormat): Pick<AudioLine, 'container' | 'file'> {
    if (this.#isWavBeside()) this.#file = new GrowingFile(besideCassette(this.#places.path, this.#names.wav));
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
    const { container, path } = this.#places;
    if (container !== 'flac') return audio;
    const { wav, flac } = this.#names;
    const [from, to] = [besideCassette(path, wav), besideCassette(path, flac)];
    try {
      await encodeFlac(from, to, { signal });
      if (this.#places.audio === 'inside') await this.#takeInside(to);
    } catch (error) {
      await rm(to, { force: true });
      throw error;
    }
    await rm(from, { force: true });
    const file = this.#places.audio === 'inside' ? {} : { file: flac };
    return { container: 'flac', ...file, sha256: audio.sha256 };
  }

  /** Idempotent. */
  close(): void {
    this.#file?.close();
  }

  /** Leaves nothing. */
  remove(): void {
    this.close();
    if (this.#recorder) for (const path of this.#paths()) rmSync(path, { force: true });
  }

  async #takeInside(path: string): Promise<void> {
    const sink = new InsideSink(this.#writeData);
    for await (const bytes of createReadStream(path)) sink.append(bytes as Buffer);
    sink.flush();
    await rm(path, { force: true });
  }

  /** FLAC is made of a whole file, wherever it goes. */
  #isWavBeside(): boolean {
    return this.#places.audio !== 'inside' || this.#places.container === 'flac';
  }

  #paths(): readonly string[] {
    const names = [
      ...(this.#isWavBeside() ? [this.#names.wav] : []),
      ...(this.#places.container === 'flac' ? [this.#names.flac] : []),
    ];
    return names.map(name => besideCassette(this.#places.path, name));
  }
}
