import { type Static, type TSchema, Type } from 'typebox';
import { type AudioContentType, formatContentType, parseContentType } from '../audio/format/contentType.ts';
import { reasonOf } from '../base/errors.ts';
import { jsonOf } from '../transcript/formats/jsonOf.ts';
import { ACCESS_TOKEN_PARAMETER } from './interfaceNames.ts';
import {
  CONNECTION_WAIT_SECONDS,
  MAX_DELETE_AFTER_SECONDS,
  MAX_METADATA_LENGTH,
  SEGMENT_DURATION_SECONDS,
} from './limits.ts';
import { StreamQueryError } from './streamQueryError.ts';
import { parseVocabularies } from './vocabularies.ts';
import type { Camel } from './wireNames.ts';

const flag = (description: string) => Type.Boolean({ description });
const seconds = ({ min, max }: { readonly min: number; readonly max: number }, description?: string) =>
  Type.Number({ minimum: min, maximum: max, description });

/**
 * The parameters of a stream except `content_type`. On the wire, their names are in snake_case. The types, the check, the
 * address, the documents and the files that have a stream query follow from these schemas. Their descriptions are for the
 * OpenAPI document.
 */
export const STREAM_OPTIONS = {
  /** Free text that is echoed in the job; at most 512 Unicode code points. */
  metadata: Type.String({ maxLength: MAX_METADATA_LENGTH }),
  /** Language code; the service ignores a region, as in `en-US`. Default `en`. */
  language: Type.String({ maxLength: 32 }),
  /** Id of a vocabulary that is complete. Cannot be combined with `customVocabularies`. */
  customVocabularyId: Type.String({ maxLength: 64 }),
  /** Phrases to favour. */
  customVocabularies: Type.Array(Type.Object({ phrases: Type.Array(Type.String()) }), {
    description: 'JSON, as in a submission.',
  }),
  /** Masks profanities. */
  filterProfanity: flag('As in a submission.'),
  /** Leaves out words such as "um". */
  removeDisfluencies: flag('As in a submission.'),
  /** Turns off punctuation, casing and number formatting. */
  skipPostprocessing: flag('As in a submission.'),
  /** Seconds after the end of the session until its data is deleted; 0 stores nothing. */
  deleteAfterSeconds: Type.Integer({ minimum: 0, maximum: MAX_DELETE_AFTER_SECONDS }),
  /** Name of the program. Has no effect. */
  userAgent: Type.String({ maxLength: 256 }),
  /** Adds times and confidences to the words of partials. */
  detailedPartials: flag('Partials have times and confidences.'),
  /** Seconds added to every time in the results, such as a Unix time: 0 to 100,000,000,000. */
  startTs: seconds({ min: 0, max: 1e11 }, 'Seconds added to every time.'),
  /** Distinguishes speakers: finals have the number of their speaker. */
  enableSpeakerSwitch: flag('Finals have `speaker_id`.'),
  /** Longest time between two finals in seconds: 5 to 30. */
  maxSegmentDurationSeconds: seconds(SEGMENT_DURATION_SECONDS, 'Maximum seconds between finals.'),
  /** Seconds to wait for a free recogniser: 60 to 600. Default 60. */
  maxConnectionWaitSeconds: seconds(CONNECTION_WAIT_SECONDS, 'Seconds to wait for a free recogniser.'),
};

/** The options of a stream: its query without `contentType`. */
export type StreamOptions = {
  readonly [Name in keyof typeof STREAM_OPTIONS]?: Camel<Static<(typeof STREAM_OPTIONS)[Name]>>;
};

/** The query of a streaming connection, without the access token. */
export interface StreamQuery extends StreamOptions {
  readonly contentType: AudioContentType;
}

/** The schemas of {@link STREAM_OPTIONS} by their names on the wire. */
export const STREAM_PARAMETERS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(STREAM_OPTIONS).map(([name, schema]) => [wireName(name), schema]),
);

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`);
}

const names = Object.keys(STREAM_OPTIONS) as (keyof StreamOptions)[];

const INTEGER = /^\d{1,12}$/;
/** Numbers as JavaScript prints them in these ranges: up to 23 decimals, then an exponent. */
const DECIMAL = /^\d{1,12}(\.\d{1,25})?(e-\d{1,3})?$/;

/** The limits in a schema: of strings, the length; of numbers, both others. */
interface Bounds {
  readonly maxLength: number;
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * Returns the value of a parameter.
 *
 * @throws Error with a predicate, such as `must be true or false`
 */
function parseValue(schema: TSchema, text: string): unknown {
  const { maxLength, minimum, maximum } = schema as TSchema & Bounds;
  if (Type.IsArray(schema)) {
    const json = jsonOf(text);
    if (json === undefined) throw new Error('must be JSON, such as [{"phrases":["Ada Lovelace"]}]');
    return parseVocabularies(json);
  }
  if (Type.IsBoolean(schema)) {
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    throw new Error('must be true or false');
  }
  if (Type.IsString(schema)) {
    // Counted in code points, like the schemas of submissions.
    const { length } = Array.from(text);
    if (length <= maxLength) return text;
    throw new Error(`must have at most ${maxLength} characters, not ${length}`);
  }
  const value = (Type.IsInteger(schema) ? INTEGER : DECIMAL).test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new Error(`must be a number from ${minimum} to ${maximum}`);
}

/**
 * Formats a query, percent-encoded.
 *
 * @throws StreamQueryError when a value is not valid
 * @example
 * formatStreamQuery({ contentType: { kind: 'flac' }, language: 'en' }); // 'content_type=audio%2Fx-flac&language=en'
 */
export function formatStreamQuery({ contentType, ...options }: StreamQuery): string {
  const parameters = new URLSearchParams({ content_type: formatContentType(contentType) });
  for (const name of names) {
    const value = options[name];
    if (value === undefined) continue;
    parameters.set(wireName(name), typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  parseStreamQuery(parameters);
  return parameters.toString();
}

/**
 * Parses the query of a streaming connection; unknown parameters are ignored.
 *
 * @throws StreamQueryError with all faults
 * @example
 * parseStreamQuery(new URLSearchParams('content_type=audio/x-flac&language=en')).language; // 'en'
 */
export function parseStreamQuery(parameters: URLSearchParams): StreamQuery {
  const faults: string[] = [];
  const query: Record<string, unknown> = {};
  const parse = (name: string, parseText: (text: string) => unknown) => {
    const text = parameters.get(wireName(name));
    // Clients send an empty value for an option that is not set.
    if (text === null || text === '') return;
    try {
      query[name] = parseText(text);
    } catch (error) {
      faults.push(`${wireName(name)}: ${reasonOf(error)}`);
    }
  };
  if (!parameters.get('content_type')) faults.push('content_type: is required');
  parse('contentType', parseContentType);
  for (const name of names) parse(name, text => parseValue(STREAM_OPTIONS[name], text));
  if (query.customVocabularyId && query.customVocabularies) {
    faults.push('custom_vocabulary_id: cannot be combined with custom_vocabularies');
  }
  if (faults.length > 0) throw new StreamQueryError(faults);
  return query as unknown as StreamQuery;
}

/** Returns the names of the parameters that {@link parseStreamQuery} ignores. */
export function ignoredParameters(parameters: URLSearchParams): readonly string[] {
  const known = new Set([ACCESS_TOKEN_PARAMETER, 'content_type', ...Object.keys(STREAM_PARAMETERS)]);
  return [...new Set(parameters.keys())].filter(name => !known.has(name));
}

/** Returns the values of a query among other options. */
export function pickStreamOptions(options: StreamOptions): StreamOptions {
  const given = names.filter(name => options[name] !== undefined);
  return Object.fromEntries(given.map(name => [name, options[name]]));
}
