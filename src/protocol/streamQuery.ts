import { type AudioContentType, formatContentType, parseContentType } from '../audio/format/contentType.ts';
import { RxscribeError, reasonOf } from '../base/errors.ts';
import { ACCESS_TOKEN_PARAMETER } from './interfaceNames.ts';
import {
  CONNECTION_WAIT_SECONDS,
  MAX_DELETE_AFTER_SECONDS,
  MAX_METADATA_LENGTH,
  SEGMENT_DURATION_SECONDS,
} from './limits.ts';
import { parseVocabularies, type Vocabulary } from './vocabularies.ts';

/** The query of a streaming connection, without the access token. */
export interface StreamQuery {
  readonly contentType: AudioContentType;
  /** Free text that is echoed in the job; at most 512 Unicode code points. */
  readonly metadata?: string;
  /** Language code; the service ignores a region, as in `en-US`. Default `en`. */
  readonly language?: string;
  readonly customVocabularyId?: string;
  readonly customVocabularies?: readonly Vocabulary[];
  readonly filterProfanity?: boolean;
  readonly removeDisfluencies?: boolean;
  /** Turns off punctuation, casing and number formatting. */
  readonly skipPostprocessing?: boolean;
  /** Seconds after the end of the session until its data is deleted; 0 stores nothing. */
  readonly deleteAfterSeconds?: number;
  readonly userAgent?: string;
  /** Adds times and confidences to the words of partials. */
  readonly detailedPartials?: boolean;
  /** Seconds added to every time in the results. */
  readonly startTs?: number;
  readonly enableSpeakerSwitch?: boolean;
  /** Longest time between two finals in seconds: 5 to 30. */
  readonly maxSegmentDurationSeconds?: number;
  /** Seconds to wait for a free recogniser: 60 to 600. Default 60. */
  readonly maxConnectionWaitSeconds?: number;
}

/** A stream query is not valid. */
export class StreamQueryError extends RxscribeError {
  /** The faults, each as `parameter: problem`. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super('bad-request', `The stream query is not valid: ${faults.join('; ')}.`);
    this.faults = faults;
  }
}

interface Codec<T> {
  readonly wireName: string;
  parse(text: string): T;
  print(value: T): string;
}

const string = (wireName: string, maxLength: number): Codec<string> => ({
  wireName,
  parse(text) {
    // Counted in code points, like the schemas of submissions.
    const { length } = Array.from(text);
    if (length <= maxLength) return text;
    throw new Error(`must have at most ${maxLength} characters, not ${length}`);
  },
  print: text => text,
});

const boolean = (wireName: string): Codec<boolean> => ({
  wireName,
  parse(text) {
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    throw new Error('must be true or false');
  },
  print: String,
});

const number = (wireName: string, form: RegExp, min: number, max: number): Codec<number> => ({
  wireName,
  parse(text) {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new Error(`must be a number from ${min} to ${max}`);
  },
  print: String,
});

const INTEGER = /^\d{1,12}$/;
/** Numbers as JavaScript prints them in these ranges: up to 23 decimals, then an exponent. */
const DECIMAL = /^\d{1,12}(\.\d{1,25})?(e-\d{1,3})?$/;

/** The error of the parser would quote the query. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('must be JSON, such as [{"phrases":["Ada Lovelace"]}]');
  }
}

/** The codec of each parameter. */
const CODECS: { readonly [Name in keyof StreamQuery]-?: Codec<NonNullable<StreamQuery[Name]>> } = {
  contentType: { wireName: 'content_type', parse: parseContentType, print: formatContentType },
  metadata: string('metadata', MAX_METADATA_LENGTH),
  language: string('language', 32),
  customVocabularyId: string('custom_vocabulary_id', 64),
  customVocabularies: {
    wireName: 'custom_vocabularies',
    parse: text => parseVocabularies(parsedJson(text)),
    print: JSON.stringify,
  },
  filterProfanity: boolean('filter_profanity'),
  removeDisfluencies: boolean('remove_disfluencies'),
  skipPostprocessing: boolean('skip_postprocessing'),
  deleteAfterSeconds: number('delete_after_seconds', INTEGER, 0, MAX_DELETE_AFTER_SECONDS),
  userAgent: string('user_agent', 256),
  detailedPartials: boolean('detailed_partials'),
  startTs: number('start_ts', DECIMAL, 0, 1e9),
  enableSpeakerSwitch: boolean('enable_speaker_switch'),
  maxSegmentDurationSeconds: number(
    'max_segment_duration_seconds',
    DECIMAL,
    SEGMENT_DURATION_SECONDS.min,
    SEGMENT_DURATION_SECONDS.max,
  ),
  maxConnectionWaitSeconds: number(
    'max_connection_wait_seconds',
    DECIMAL,
    CONNECTION_WAIT_SECONDS.min,
    CONNECTION_WAIT_SECONDS.max,
  ),
};

const names = Object.keys(CODECS) as (keyof StreamQuery)[];

/**
 * Formats a query, percent-encoded.
 *
 * @throws StreamQueryError when a value is not valid
 * @example
 * import { formatStreamQuery } from 'rxscribe/recovery';
 *
 * formatStreamQuery({ contentType: { kind: 'flac' }, language: 'en' }); // 'content_type=audio%2Fx-flac&language=en'
 */
export function formatStreamQuery(query: StreamQuery): string {
  const parameters = new URLSearchParams();
  for (const name of names) {
    const codec = CODECS[name] as Codec<unknown>;
    if (query[name] !== undefined) parameters.set(codec.wireName, codec.print(query[name]));
  }
  parseStreamQuery(parameters);
  return parameters.toString();
}

/**
 * Parses the query of a streaming connection; unknown parameters are ignored.
 *
 * @throws StreamQueryError with all faults
 * @example
 * import { parseStreamQuery } from 'rxscribe/recovery';
 *
 * parseStreamQuery(new URLSearchParams('content_type=audio/x-flac&language=en')).language; // 'en'
 */
export function parseStreamQuery(parameters: URLSearchParams): StreamQuery {
  const faults: string[] = [];
  const query: Record<string, unknown> = {};
  for (const name of names) {
    const codec = CODECS[name] as Codec<unknown>;
    const text = parameters.get(codec.wireName);
    // Clients send an empty value for an option that is not set.
    if (text === null || text === '') continue;
    try {
      query[name] = codec.parse(text);
    } catch (error) {
      faults.push(`${codec.wireName}: ${reasonOf(error)}`);
    }
  }
  if (!parameters.get('content_type')) faults.unshift('content_type: is required');
  if (query.customVocabularyId && query.customVocabularies) {
    faults.push('custom_vocabulary_id: cannot be combined with custom_vocabularies');
  }
  if (faults.length > 0) throw new StreamQueryError(faults);
  return query as unknown as StreamQuery;
}

/** Returns the names of the parameters that {@link parseStreamQuery} ignores. */
export function ignoredParameters(parameters: URLSearchParams): readonly string[] {
  const known = new Set([ACCESS_TOKEN_PARAMETER, ...names.map(name => CODECS[name].wireName)]);
  return [...new Set(parameters.keys())].filter(name => !known.has(name));
}

/** Returns the names of the values that {@link formatStreamQuery} ignores. */
export function ignoredValues(query: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(query).filter(name => !Object.hasOwn(CODECS, name) && query[name] !== undefined);
}
