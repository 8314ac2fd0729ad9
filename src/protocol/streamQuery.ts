import { type AudioContentType, formatContentType, parseContentType } from '../audio/format/contentType.ts';
import { messageOf, RxscribeError } from '../base/errors.ts';
import {
  CONNECTION_WAIT_SECONDS,
  MAX_DELETE_AFTER_SECONDS,
  MAX_METADATA_LENGTH,
  SEGMENT_DURATION_SECONDS,
} from './limits.ts';
import { parseVocabularies, type Vocabulary } from './vocabularies.ts';

/** What a client asks of a streaming session, apart from the access token. */
export interface StreamQuery {
  readonly contentType: AudioContentType;
  /** Free text, echoed in the job; at most 512 Unicode characters. */
  readonly metadata?: string;
  /** Language code; the service ignores a region, as of `en-US`. Default `en`. */
  readonly language?: string;
  readonly customVocabularyId?: string;
  readonly customVocabularies?: readonly Vocabulary[];
  readonly filterProfanity?: boolean;
  readonly removeDisfluencies?: boolean;
  /** No punctuation, casing or number formatting. */
  readonly skipPostprocessing?: boolean;
  /** Seconds after the end at which all data of the session is deleted; 0 stores nothing. */
  readonly deleteAfterSeconds?: number;
  readonly userAgent?: string;
  /** Words of partials carry times and confidences. */
  readonly detailedPartials?: boolean;
  /** Seconds added to every time that is sent back. */
  readonly startTs?: number;
  readonly enableSpeakerSwitch?: boolean;
  /** A final comes at least this often: 5 to 30. */
  readonly maxSegmentDurationSeconds?: number;
  /** How long to wait for a free recogniser: 60 to 600. Default 60. */
  readonly maxConnectionWaitSeconds?: number;
}

/** A query that cannot be used, with everything that is wrong with it. */
export class StreamQueryError extends RxscribeError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super('bad-request', faults.join('; '));
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
    // As the schemas of submissions count them: code points.
    const { length } = Array.from(text);
    if (length <= maxLength) return text;
    throw new Error(`expected at most ${maxLength} characters, found ${length}`);
  },
  print: text => text,
});

const boolean = (wireName: string): Codec<boolean> => ({
  wireName,
  parse(text) {
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    throw new Error('expected true or false');
  },
  print: String,
});

const number = (wireName: string, form: RegExp, min: number, max: number): Codec<number> => ({
  wireName,
  parse(text) {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new Error(`expected a number from ${min} to ${max}`);
  },
  print: String,
});

const INTEGER = /^\d{1,12}$/;
/** As JavaScript prints numbers of our ranges: up to 23 decimals, then an exponent. */
const DECIMAL = /^\d{1,12}(\.\d{1,25})?(e-\d{1,3})?$/;

/** One row a parameter, for reading and for writing. */
const CODECS: { readonly [Name in keyof StreamQuery]-?: Codec<NonNullable<StreamQuery[Name]>> } = {
  contentType: { wireName: 'content_type', parse: parseContentType, print: formatContentType },
  metadata: string('metadata', MAX_METADATA_LENGTH),
  language: string('language', 32),
  customVocabularyId: string('custom_vocabulary_id', 64),
  customVocabularies: {
    wireName: 'custom_vocabularies',
    parse: text => parseVocabularies(JSON.parse(text)),
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
 * Prints a query, without the token, percent-encoded.
 *
 * @throws StreamQueryError when a value could not be read back
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
 * Reads the query of a streaming connection; parameters that the interface does not have are passed over.
 *
 * @throws StreamQueryError with all faults at once
 */
export function parseStreamQuery(parameters: URLSearchParams): StreamQuery {
  const faults: string[] = [];
  const query: Record<string, unknown> = {};
  for (const name of names) {
    const codec = CODECS[name] as Codec<unknown>;
    const text = parameters.get(codec.wireName);
    // An empty value is what clients send for "not set".
    if (text === null || text === '') continue;
    try {
      query[name] = codec.parse(text);
    } catch (error) {
      faults.push(`${codec.wireName}: ${messageOf(error).replace(/^content type: /, '')}`);
    }
  }
  if (!parameters.get('content_type')) faults.unshift('content_type: expected, found none');
  if (query.customVocabularyId && query.customVocabularies) {
    faults.push('custom_vocabulary_id: not together with custom_vocabularies');
  }
  if (faults.length > 0) throw new StreamQueryError(faults);
  return query as unknown as StreamQuery;
}
