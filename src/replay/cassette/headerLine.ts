import type { Clock } from '../../base/clock.ts';
import { CASSETTE_VERSION, type CassetteHeader } from './cassette.ts';
import { SOFTWARE_VERSIONS } from './softwareVersions.ts';

/** The first line of a cassette that is made now, by this program. */
export function headerLine(
  clock: Pick<Clock, 'wallTime'>,
  more: Pick<CassetteHeader, 'origin'> = {},
): CassetteHeader {
  return {
    type: 'cassette',
    version: CASSETTE_VERSION,
    recorded_at: new Date(clock.wallTime()).toISOString(),
    software: SOFTWARE_VERSIONS,
    ...more,
  };
}
