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

/** Forms of values by field. */
const FORMS: Readonly<Record<string, { readonly form: RegExp; readonly wanted: string }>> = {
  response_format: oneOf(FORMATS),
  timestamp_granularities: oneOf(GRANULARITIES),
  stream: { form: /^(true|false)$/i, wanted: 'true or false' },
  temperature: { form: /^(0?\.\d+|0|1)(\.0*)?$/, wanted: 'a number from 0 to 1' },
  chunking_strategy: { form: /^(auto|\{.*\})$/s, wanted: 'auto or an object' },
  include: oneOf(['logprobs']),
};

function oneOf(words: readonly string[]) {
  return { form: new RegExp(`^(${words.join('|')})$`), wanted: `one of ${words.join(', ')}` };
}

/** Fields whose values are checked, and have no effect. */
const INEFFECTIVE = ['temperature', 'chunking_strategy', 'include'];

/** Names of the fields that are read. Fields of lists are also written with brackets. */
export const FIELDS: ReadonlySet<string> = new Set(
  [
    ...['model', 'language', 'prompt', 'hotwords', 'response_format', 'stream'],
    ...['timestamp_granularities', 'keywords', ...INEFFECTIVE],
  ].flatMap(name => [name, `${name}[]`]),
);

/** A request for a transcription. */
export interface TranscriptionFields {
  readonly format: Format;
  readonly isStreamed: boolean;
  /** Details of `verbose_json`. */
  readonly granularities: readonly Granularity[];
  readonly language?: string;
  /** Phrases to favour. */
  readonly phrases: readonly string[];
  /** Names without effect. */
  readonly ignored: readonly string[];
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
  const details = all('timestamp_granularities') as Granularity[];
  const faults: Fault[] = Object.entries(FORMS)
    .filter(([field, { form }]) => !all(field).every(value => form.test(value)))
    .map(([field, { wanted }]) => [field, `must be ${wanted}`]);
  const isStreamed = /^true$/i.test(last('stream') ?? '');
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
    ignored: INEFFECTIVE.filter(field => given.some(({ name }) => name === field)),
  };
}
