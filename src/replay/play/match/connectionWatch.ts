import { Type } from 'typebox';
import {
  type AudioContentType,
  formatContentType,
  parseContentType,
} from '../../../audio/format/contentType.ts';
import type { PcmFormat } from '../../../audio/format/format.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../../protocol/interfaceNames.ts';
import { CONNECTION_WAIT_SECONDS } from '../../../protocol/limits.ts';
import { STREAM_PARAMETERS } from '../../../protocol/streamQuery.ts';
import type { CassetteAudio } from '../../cassette/cassette.ts';
import type { Script } from '../script/script.ts';
import { TOLERANCE_SECONDS } from '../script/sessionParts.ts';
import { placedBy, wordsOfText } from '../script/words.ts';
import { recordedBytes } from '../source/frameReader.ts';
import { AudioComparison } from './audioComparison.ts';
import type { Mismatch, QueryMismatch } from './mismatch.ts';
import type { WireAudio } from './wireAudio.ts';

/** The parts of a session to compare with the recording. */
export interface MatchOptions {
  /** Compares the parameters of the query. Default true. */
  readonly query?: boolean;
  /** Compares the audio and its end. Default true. */
  readonly audio?: boolean;
}

export interface ConnectionWatchOptions {
  /** Index of the connection. */
  readonly index: number;
  readonly script: Script;
  readonly parameters: URLSearchParams;
  readonly contentType: AudioContentType;
  readonly wire: WireAudio;
  /** Recorded audio. */
  readonly audio: CassetteAudio | undefined;
  readonly match: MatchOptions;
}

/** Tolerance in seconds for the length of resampled audio. */
const RESAMPLED_SECONDS = 0.05;

/** Compares a client with the recorded one. */
export class ConnectionWatch {
  readonly #options: ConnectionWatchOptions;
  readonly #found: Mismatch[] = [];
  readonly #comparison: AudioComparison | undefined;
  #texts = 0;
  #hasEnd = false;
  #isOver = false;

  constructor(options: ConnectionWatchOptions) {
    const { index: connection, script, parameters, match } = options;
    this.#options = options;
    // The point at which a client resumes depends on the break.
    const ignored = new Set(connection > 0 ? ['start_ts'] : []);
    const differing = match.query === false ? [] : queryDifference(script.query, parameters, ignored);
    if (differing.length > 0) this.#found.push({ kind: 'query', connection, parameters: differing });
    this.#comparison = comparisonOf(options);
  }

  /** Differences so far. */
  get mismatches(): readonly Mismatch[] {
    const { index: connection, script } = this.#options;
    const difference = this.#comparison?.difference;
    const seconds = (difference?.frame ?? 0) / script.sampleRate;
    return [
      ...this.#found,
      ...(difference ? [{ kind: 'audio' as const, connection, seconds, ...difference }] : []),
    ];
  }

  /**
   * Returns the differences, including everything that is missing if nothing more arrives. After a break by a fault the
   * end may be anywhere.
   */
  finalMismatches(wasBroken: boolean): readonly Mismatch[] {
    return [...this.mismatches, ...this.#missing(wasBroken)];
  }

  /** Bytes of audio that are waiting for the comparison. */
  get waitingBytes(): number {
    return this.#comparison?.waitingBytes ?? 0;
  }

  /** Seconds of audio received, without silence that is not in the recording. */
  get seconds(): number {
    const { wire } = this.#options;
    return (this.#comparison?.frames ?? wire.frames) / (wire.sampleRate ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the text of words with the times of a client that has sent silence of its own. */
  inWire(text: string): string {
    const silences = [...(this.#comparison?.silences ?? [])];
    const words = silences.length > 0 && wordsOfText(text);
    if (!words) return text;
    const { startTs, sampleRate } = this.#options.script;
    const placed = (ts: number, isEnd: boolean) => {
      const frame = (ts - startTs + (isEnd ? -TOLERANCE_SECONDS : TOLERANCE_SECONDS)) * sampleRate;
      return ts + silences.reduce((sum, [at, frames]) => sum + (at <= frame ? frames : 0), 0) / sampleRate;
    };
    return JSON.stringify(placedBy(words, placed));
  }

  /** Resolves when all received audio has been compared. */
  get done(): Promise<void> {
    return this.#comparison?.done ?? Promise.resolve();
  }

  audio(bytes: Uint8Array, isAfterPause: boolean): void {
    this.#comparison?.push(bytes, isAfterPause);
  }

  /** Compares a text frame and returns whether it was recorded. */
  text(text: string): boolean {
    const { index: connection, script } = this.#options;
    if (script.texts[this.#texts] === text) {
      this.#texts++;
      return true;
    }
    this.#found.push({ kind: 'text', connection, length: text.length });
    return false;
  }

  /** Called when the client has ended its audio. */
  end(): void {
    const { index: connection, script, match } = this.#options;
    if (this.#hasEnd || match.audio === false) return;
    this.#hasEnd = true;
    if (script.isBroken) return;
    this.#found.push(
      ...(script.hasEnd ? this.#otherLength() : [{ kind: 'end', connection, recorded: false } as const]),
    );
  }

  /** Called when the connection has ended. */
  over(wasBroken: boolean): void {
    const missing = this.#missing(wasBroken);
    this.#isOver = true;
    this.#found.push(...missing);
  }

  async close(): Promise<void> {
    await this.#comparison?.close();
  }

  #missing(wasBroken: boolean): readonly Mismatch[] {
    const { index: connection, script, match } = this.#options;
    if (this.#isOver || wasBroken || this.#hasEnd || !script.hasEnd || match.audio === false) return [];
    return [...this.#otherLength(), { kind: 'end', connection, recorded: true }];
  }

  #otherLength(): readonly Mismatch[] {
    const { index: connection, script, wire } = this.#options;
    if (script.audio.length === 0 || wire.sampleRate === undefined) return [];
    const recordedSeconds = script.audio.reduce((sum, { frames }) => sum + frames, 0) / script.sampleRate;
    const foundSeconds = this.seconds;
    const tolerance = wire.sampleRate === script.sampleRate ? 0 : RESAMPLED_SECONDS;
    if (Math.abs(recordedSeconds - foundSeconds) <= tolerance) return [];
    return [{ kind: 'length', connection, recordedSeconds, foundSeconds }];
  }
}

/** Compares samples only if the formats are equal, because resampling changes every sample. */
function comparisonOf(options: ConnectionWatchOptions): AudioComparison | undefined {
  const { script, contentType, audio, match } = options;
  if (!audio || match.audio === false || contentType.kind !== 'raw') return undefined;
  if (contentType.layout !== 'interleaved' || !sameFormat(contentType.format, audio.format)) return undefined;
  const recorded = recordedBytes(audio, script.audio);
  return new AudioComparison({ recorded, format: audio.format });
}

function sameFormat(one: PcmFormat, other: PcmFormat): boolean {
  const { sampleFormat, sampleRate, channels } = other;
  return one.sampleFormat === sampleFormat && one.sampleRate === sampleRate && one.channels === channels;
}

/** Parameters that say who connects, not what for. */
const OF_CLIENT: ReadonlySet<string> = new Set([ACCESS_TOKEN_PARAMETER, 'user_agent']);

/** Returns the parameters whose values differ, in order of their names. The token is not among them. */
export function queryDifference(
  recorded: Readonly<Record<string, string>>,
  found: URLSearchParams,
  ignored: ReadonlySet<string>,
): QueryMismatch['parameters'] {
  const names = new Set([...Object.keys(recorded), ...found.keys()]);
  return [...names]
    .filter(name => !OF_CLIENT.has(name) && !ignored.has(name))
    .sort()
    .flatMap(name => {
      const before = recorded[name];
      const now = found.get(name) ?? undefined;
      if (plain(name, before) === plain(name, now)) return [];
      return [{ name, recorded: before, found: now }];
    });
}

/** Values that mean the same as none, besides `false`. */
const DEFAULTS: Readonly<Record<string, string>> = {
  language: 'en',
  start_ts: '0',
  max_connection_wait_seconds: String(CONNECTION_WAIT_SECONDS.default),
};

/** Normalizes a value: an empty one or the default is not set, and the parameters of a content type have no order. */
function plain(name: string, value: string | undefined): string | undefined {
  if (name !== 'content_type' || !value) return withoutDefault(name, value);
  try {
    return formatContentType(parseContentType(value));
  } catch {
    return value;
  }
}

function withoutDefault(name: string, value: string | undefined): string | undefined {
  const schema = STREAM_PARAMETERS[name];
  if (!schema || !value) return value || undefined;
  if (Type.IsBoolean(schema)) return value.toLowerCase() === 'false' ? undefined : value.toLowerCase();
  const isDefault = Type.IsNumber(schema)
    ? Number(value) === Number(DEFAULTS[name])
    : value === DEFAULTS[name];
  return isDefault ? undefined : value;
}
