import { BYTES_PER_SAMPLE, type SampleFormat } from '../../../audio/format/format.ts';
import { findProgram, programMissing } from '../../../audio/source/program.ts';
import { InvalidArgumentError, requireOneOf } from '../../../base/errors.ts';
import type { TranscribeOptions } from '../../../client/stream/options.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';

/** Places of a cassette and its audio. */
export interface CassettePlaces {
  readonly path: string;
  /** Place of the audio: a file beside the cassette, or inside it. Default `beside`. */
  readonly audio?: 'beside' | 'inside';
  /** Format of the audio file: WAV, or FLAC of about half the size, which ffmpeg encodes at the end. Default `wav`. */
  readonly container?: 'wav' | 'flac';
  /**
   * Replaces an existing cassette, with the audio that it names, as soon as the new one has audio and a service has
   * accepted the connection; a recording that fails before leaves it unchanged. Default false, which makes an existing
   * cassette an error.
   */
  readonly overwrite?: boolean;
}

/** Returns whether a WAV file is written beside the cassette, from which FLAC is encoded. */
export function isWavBeside({ audio, container }: Pick<CassettePlaces, 'audio' | 'container'>): boolean {
  return audio !== 'inside' || container === 'flac';
}

/** Sample formats that FLAC stores exactly: integers of at most 24 bits, the limit of ffmpeg. */
const FLAC_FORMATS: readonly SampleFormat[] = (Object.keys(BYTES_PER_SAMPLE) as SampleFormat[]).filter(
  name => name !== 'F32LE' && name !== 'S32LE',
);

/** Checks that the container keeps the samples exactly. @throws InvalidArgumentError for other samples */
function checkContainer({ container }: CassettePlaces, sampleFormat: SampleFormat): void {
  if (container !== 'flac' || FLAC_FORMATS.includes(sampleFormat)) return;
  throw new InvalidArgumentError(
    `FLAC cannot hold samples of the format '${sampleFormat}' (allowed: ${FLAC_FORMATS.join(', ')}). Record WAV.`,
  );
}

/** Checks for ffmpeg before the recording rather than at its end. @throws RxscribeError `program-missing` */
export function requireEncoder({ container }: CassettePlaces): void {
  if (container === 'flac' && !findProgram('ffmpeg')) throw programMissing('record as FLAC', 'ffmpeg');
}

/** Places of a recording, and the speed of its source. */
export interface RecordPlaces extends CassettePlaces {
  /** Speed of the source in seconds of audio per second, on which delays depend. Default: estimated from its blocks. */
  readonly speed?: number | 'max';
}

/** Options of `transcribe`, and the cassette to write. */
export interface RecordOptions extends Omit<TranscribeOptions, 'tap'> {
  readonly cassette: RecordPlaces;
}

/** Checks the options of a recording. @throws InvalidArgumentError */
export function checkRecordOptions({
  cassette,
  channelStreams,
  sampleFormat = 'S16LE',
}: RecordOptions): void {
  if (channelStreams === 'apart') {
    throw new InvalidArgumentError(
      "Option 'channelStreams' must not be 'apart' in a recording. Record each channel by itself.",
    );
  }
  const { audio = 'beside', container = 'wav' } = cassette;
  requireOneOf('cassette.audio', audio, ['beside', 'inside']);
  requireOneOf('cassette.container', container, ['wav', 'flac']);
  if (cassette.path === '') throw new InvalidArgumentError("Option 'cassette.path' must not be empty.");
  const { speed } = cassette;
  if (speed !== undefined && speed !== 'max' && !(speed > 0 && speed <= CASSETTE_LIMITS.speed)) {
    throw new InvalidArgumentError(
      `Option 'cassette.speed' must be 'max' or a number above 0 up to ${CASSETTE_LIMITS.speed}, not ${speed}.`,
    );
  }
  checkContainer(cassette, sampleFormat);
}
