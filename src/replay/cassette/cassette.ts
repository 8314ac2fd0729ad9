import packageJson from 'rxscribe/package.json' with { type: 'json' };
import type { PcmFormat } from '../../audio/format/format.ts';
import type { CassetteFileLine, LineOf } from './cassetteSchema.ts';

/**
 * Version of the format that rxscribe writes, and the highest that it reads. A version may gain fields, which older
 * programs ignore; a new kind of line, or a new meaning, is a new version.
 */
export const CASSETTE_VERSION = 1;

/** Versions of the programs that make a cassette or a report. */
export const SOFTWARE_VERSIONS: Readonly<Record<string, string>> = {
  rxscribe: packageJson.version,
  node: process.versions.node,
};

/**
 * A recorded session, as JSON Lines: the header comes first and the end last. Names on lines are snake_case, as on the
 * wire. There are two clocks: `frame` counts frames of the source (the audio clock), `ms` milliseconds since the
 * recording began (the wall clock).
 */
export interface Cassette {
  readonly header: LineOf<'cassette'>;
  /** Lines in order of the wall clock, without the pieces of an embedded audio file. */
  readonly lines: readonly CassetteLine[];
  /** Undefined when the recording was cut off. */
  readonly end?: LineOf<'end'>;
  /** Audio. Undefined when none was recorded. */
  readonly audio?: CassetteAudio;
  /**
   * Damage that the reader found in the session, for people: a missing end, missing results, results in an order that no
   * service should send, and faults of the recorded service, each with its line.
   */
  readonly damage?: readonly string[];
}

/** A line between header and end, other than a piece of an audio file. `connection` counts from 0. */
export type CassetteLine = Exclude<CassetteFileLine, { readonly type: 'cassette' | 'audio_data' | 'end' }>;

/** A line about a connection. */
export type ConnectionLine = Extract<CassetteLine, { readonly connection: number }>;

export interface CassetteAudio {
  readonly format: PcmFormat;
  readonly frames: number;
  /** Gaps that the source left out. */
  readonly gaps: readonly { readonly startFrame: number; readonly frames: number }[];
  /** Path of an audio file for any player. Undefined when the audio is embedded. */
  readonly path?: string;
  /** Opens the audio file (WAV or FLAC) and reads its bytes, from frame 0 on; gaps are silent. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}
