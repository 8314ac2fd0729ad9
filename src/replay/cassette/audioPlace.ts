import { basename, dirname, join } from 'node:path';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../audio/format/format.ts';
import { findProgram, programMissing } from '../../audio/source/program.ts';
import { InvalidArgumentError } from '../../base/errors.ts';

/** Where a cassette is written to, and its audio. */
export interface CassettePlaces {
  readonly path: string;
  /** Default `beside`. */
  readonly audio?: 'beside' | 'inside';
  /** WAV, or FLAC of about half the size, which ffmpeg makes at the end. Default `wav`. */
  readonly container?: 'wav' | 'flac';
  /**
   * A cassette that is there is replaced, with the audio that it names, as soon as the new one has audio that a service
   * takes; a recording that does not get there leaves it as it was. Default false: that is an error.
   */
  readonly overwrite?: boolean;
}

/** Names of the audio files beside a cassette: that of the cassette with another ending. */
export function audioFileNames(path: string): { readonly wav: string; readonly flac: string } {
  const name = basename(path).replace(/\.jsonl$/i, '');
  return { wav: `${name}.wav`, flac: `${name}.flac` };
}

/** A file beside a cassette. */
export function besideCassette(path: string, file: string): string {
  return join(dirname(path), file);
}

/** FLAC is made of a whole file, wherever it goes. */
export function isWavBeside({ audio, container }: Pick<CassettePlaces, 'audio' | 'container'>): boolean {
  return audio !== 'inside' || container === 'flac';
}

/** What FLAC keeps to the bit: it has integers, and ffmpeg writes 24 bits of them at most. */
const FLAC_FORMATS: readonly SampleFormat[] = (Object.keys(BYTES_PER_SAMPLE) as SampleFormat[]).filter(
  name => name !== 'F32LE' && name !== 'S32LE',
);

/** @throws InvalidArgumentError for samples that would not come back as they were */
export function checkContainer({ container }: CassettePlaces, sampleFormat: SampleFormat): void {
  if (container !== 'flac' || FLAC_FORMATS.includes(sampleFormat)) return;
  throw new InvalidArgumentError(
    `record: wanted samples that FLAC keeps (${FLAC_FORMATS.join(', ')}), found ${sampleFormat}; record WAV`,
  );
}

/** @throws RxscribeError `program-missing`: better now than after an hour */
export function requireEncoder({ container }: CassettePlaces): void {
  if (container === 'flac' && !findProgram('ffmpeg')) throw programMissing('record as FLAC', 'ffmpeg');
}
