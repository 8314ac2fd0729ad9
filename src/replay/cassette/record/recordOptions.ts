import { BYTES_PER_SAMPLE, type SampleFormat } from '../../../audio/format/format.ts';
import { findProgram, programMissing } from '../../../audio/source/program.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import type { TranscribeOptions } from '../../../client/stream/options.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';

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

/** Where a recording goes. */
export interface RecordPlaces extends CassettePlaces {
  /** How fast the source gives its audio, seconds a second: what delays are measured by. Default: told from its blocks. */
  readonly speed?: number | 'max';
}

/** Those of `transcribe`, and where the recording goes. */
export interface RecordOptions extends Omit<TranscribeOptions, 'tap'> {
  readonly cassette: RecordPlaces;
}

/** @throws InvalidArgumentError for what cannot be recorded */
export function checkRecordOptions({
  cassette,
  channelStreams,
  sampleFormat = 'S16LE',
}: RecordOptions): void {
  if (channelStreams === 'apart') {
    throw new InvalidArgumentError(
      'record: wanted channels in one stream, found them apart; record each channel by itself',
    );
  }
  oneOf({ audio: cassette.audio }, ['beside', 'inside']);
  oneOf({ container: cassette.container }, ['wav', 'flac']);
  if (cassette.path === '')
    throw new InvalidArgumentError('record: wanted a path for the cassette, found none');
  const { speed } = cassette;
  if (speed !== undefined && speed !== 'max' && !(speed > 0 && speed <= CASSETTE_LIMITS.speed)) {
    throw new InvalidArgumentError(
      `record: wanted a speed above 0 and up to ${CASSETTE_LIMITS.speed}, or 'max', found ${speed}`,
    );
  }
  checkContainer(cassette, sampleFormat);
}

function oneOf(option: Readonly<Record<string, string | undefined>>, words: readonly string[]): void {
  for (const [name, value] of Object.entries(option)) {
    if (value === undefined || words.includes(value)) continue;
    throw new InvalidArgumentError(`record: ${name}: wanted ${words.join(' or ')}, found ${value}`);
  }
}
