import { type AudioBlock, framesOf, type SampleFormat } from '../../../audio/format/format.ts';
import type { Clock } from '../../../base/clock.ts';
import { CASSETTE_VERSION, SOFTWARE_VERSIONS } from '../cassette.ts';
import type { LineOf } from '../cassetteSchema.ts';
import { CassetteFiles } from './cassetteFiles.ts';
import { CassetteWriter } from './cassetteWriter.ts';
import { KeptAudio } from './keptAudio.ts';
import { type RecordPlaces, requireEncoder } from './recordOptions.ts';

export interface CassetteFileOptions {
  readonly places: RecordPlaces;
  readonly sampleFormat: SampleFormat;
  readonly clock: Clock;
  /** Removes secrets from a text. Default: keeps the text. */
  readonly hide?: (text: string) => string;
  /** Called when a line that was accepted could not be written. */
  readonly onError?: (error: unknown) => void;
}

/** A cassette that is being written: its lines, its audio and their files. */
export class CassetteFile {
  readonly files: CassetteFiles;
  readonly lines: CassetteWriter;
  readonly audio: KeptAudio;
  readonly #options: CassetteFileOptions;
  #failure: { readonly error: unknown } | undefined;

  /**
   * @throws RxscribeError `store` when a file exists already or cannot be made, `program-missing` when FLAC cannot be
   * encoded
   */
  constructor(options: CassetteFileOptions) {
    const { places, clock, hide = text => text, onError } = options;
    this.#options = options;
    requireEncoder(places);
    this.files = new CassetteFiles(places);
    this.audio = new KeptAudio(this.files, places, line => this.lines.writeWhole(line));
    this.lines = new CassetteWriter({
      file: this.files.make(),
      clock,
      hide,
      onError: error => {
        this.#failure ??= { error };
        onError?.(error);
      },
    });
    this.lines.writeWhole(headerLine(clock));
  }

  /** Starts the audio and writes its line from the first block. `speed` is that of the source. */
  startAudio(block: AudioBlock, ms: number, speed?: LineOf<'audio'>['speed']): void {
    const { sampleFormat } = this.#options;
    const { sampleRate, channels } = block;
    const kept = this.audio.start({ sampleFormat, sampleRate, channels });
    this.lines.writeWhole({
      type: 'audio',
      ms,
      format: { sample_format: sampleFormat, sample_rate: sampleRate, channels },
      block_frames: framesOf(block),
      speed,
      ...kept,
    });
  }

  /** Writes the end line. @throws RxscribeError `store` */
  end(ms: number, audio: LineOf<'end'>['audio']): void {
    this.lines.writeWhole({ type: 'end', ms, frames: this.audio.frames, audio });
    this.lines.flush();
  }

  /** @throws the error of the first line that could not be written */
  check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Idempotent. */
  close(): void {
    this.audio.close();
    this.lines.close();
  }
}

/** Returns the header of a cassette that is made now, by this program. */
function headerLine(clock: Pick<Clock, 'wallTime'>): LineOf<'cassette'> {
  return {
    type: 'cassette',
    version: CASSETTE_VERSION,
    recorded_at: new Date(clock.wallTime()).toISOString(),
    software: SOFTWARE_VERSIONS,
  };
}
