import { InvalidArgumentError } from '../../base/errors.ts';
import type { TranscribeOptions } from '../../client/stream/options.ts';
import { type CassettePlaces, checkContainer } from './audioPlace.ts';
import { CASSETTE_LIMITS } from './cassetteLimits.ts';

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
