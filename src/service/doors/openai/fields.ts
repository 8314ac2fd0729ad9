import { type Fault, refuse } from '../../areas/faults.ts';
import type { FormText } from '../../uploads/form.ts';
import { phrasesIn } from '../phrasesIn.ts';

/** Formats of a transcription in OpenAI's interface; the first is the default. */
const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type Format = (typeof FORMATS)[number];
/** Formats that can be streamed. */
const STREAMED: readonly Format[] = ['json', 'text'];

const GRANULARITIES = ['word', 'segment'] as const;
type Granularity = (typeof GRANULARITIES)[number];

/** Names of the fields that are read. Fields of lists are also written with brackets. */
export const FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'language', 'prompt', 'hotwords', 'response_format', 'stream'],
  ...['timestamp_granularities', 'timestamp_granularities[]', 'keywords', 'keywords[]'],
]);

/** A request for a transcription. */
export interface TranscriptionFields {
  readonly format: Format;
  readonly isStreamed: boolean;
  /** Details of `verbose_json`. */
  readonly granularities: readonly Granularity[];
  readonly language?: string;
  /** Phrases to favour. */
  readonly phrases: readonly string[];
}

/**
 * Reads the fields of a request. Empty ones count as absent.
 *
 * @throws ProblemError `invalidParameters` with all faults at once
 */
export function readFields(texts: readonly FormText[]): TranscriptionFields {
  const given = texts.map(({ name, bytes }) => ({ name: name.replace('[]', ''), value: bytes.toString() }));
  const all = (field: string) =>
    given.filter(({ name, value }) => name === field && value !== '').map(({ value }) => value);
  const last = (field: string) => all(field).at(-1);
  const format = (last('response_format') ?? FORMATS[0]) as Format;
  const stream = last('stream') ?? 'false';
  const details = all('timestamp_granularities') as Granularity[];
  const faults: Fault[] = [];
  if (!FORMATS.includes(format)) faults.push(['response_format', `must be one of ${FORMATS.join(', ')}`]);
  if (!details.every(detail => GRANULARITIES.includes(detail))) {
    faults.push(['timestamp_granularities', `must be of ${GRANULARITIES.join(', ')}`]);
  }
  if (!/^(true|false)$/i.test(stream)) faults.push(['stream', 'must be true or false']);
  const isStreamed = /^true$/i.test(stream);
  if (isStreamed && !STREAMED.includes(format)) {
    faults.push(['stream', `must be given with response_format ${STREAMED.join(' or ')} only`]);
  }
  refuse(faults);
  const words = [...all('prompt'), ...all('hotwords'), ...all('keywords')];
  return {
    format,
    isStreamed,
    granularities: details.length > 0 ? details : ['segment'],
    language: last('language'),
    phrases: phrasesIn(words),
  };
}
