import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { STREAM_PARAMETERS } from '../../../protocol/streamQuery.ts';
import { MEASURE_PATHS, type MeasurePath } from '../../measure/measurePaths.ts';
import { FaultScheduleSchema } from '../../play/faults/faultSchedule.ts';

/** Returns the schema of an object with known, optional keys. */
function settings<Properties extends TProperties>(properties: Properties, options: object = {}) {
  const optional = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema as TSchema)]),
  );
  return Type.Object(
    optional as { [Name in keyof Properties]: ReturnType<typeof Type.Optional<Properties[Name]>> },
    { additionalProperties: false, ...options },
  );
}

const Text = Type.String({ minLength: 1, maxLength: 4096 });
const textOf = (description: string) => Type.String({ minLength: 1, description });
const fileOf = (description: string) =>
  Type.String({ minLength: 1, title: 'the path of a file', description });
const integerFrom = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const oneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  Type.Union(
    words.map(word => Type.Literal(word)),
    { description },
  );
const Percentage = Type.String({ pattern: '^\\d+(\\.\\d+)?\\s*%$', title: 'a percentage such as 30%' });
const Limit = Type.Union([Type.Number(), Percentage]);
const RateLimit = Type.Union([Type.Number({ maximum: 1, title: 'a number up to 1' }), Percentage]);

const ThresholdsSchema = Type.Object(
  Object.fromEntries(MEASURE_PATHS.map(measure => [measure.path, Type.Optional(thresholdSchema(measure))])),
  {
    additionalProperties: false,
    description:
      'Limits of measures by their path in the report: a minimum for coverage and recall, a maximum for the others',
  },
);

function thresholdSchema({ limit, isRate }: MeasurePath) {
  const end = isRate ? RateLimit : Limit;
  const number = isRate ? 'a number up to 1' : 'a number';
  return Type.Union([end, settings({ min: end, max: end })], {
    title: `${number} or a percentage (the ${limit === 'max' ? 'maximum' : 'minimum'}), or min and max`,
  });
}

/** The language is a setting of its own, and the program is always this one. */
const { language: _, user_agent: __, ...QUERY_PARAMETERS } = STREAM_PARAMETERS;

export const QuerySchema = settings(QUERY_PARAMETERS, {
  description: 'Options of the stream, by their names on the wire',
});

/** Settings of a case, and of `defaults` for all cases. */
const CASE_SETTINGS = {
  language: textOf('Language code. Default: that of the cassette, else en'),
  speed: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), Type.Literal('max')], {
    description:
      'Seconds of audio per second, or max. Default 1; for cassettes in virtual time, unless recorded at max',
  }),
  rules: textOf('Rule set that normalizes words. Default: by the language'),
  keywords: Type.Array(Text, { description: 'Words and phrases whose recall is measured' }),
  thresholds: ThresholdsSchema,
  faults: FaultScheduleSchema,
  service: oneOf(
    ['cassette', 'service'],
    'Service that answers the audio of a cassette. Default: the cassette; with url or --url and without faults, the service',
  ),
  query: QuerySchema,
  expect: Type.Union(
    [
      Type.Object({ close: Type.Integer({ minimum: 1000, maximum: 4999 }) }, { additionalProperties: false }),
      Type.Object({ http: Type.Integer({ minimum: 400, maximum: 599 }) }, { additionalProperties: false }),
    ],
    {
      title: 'close (1000 to 4999) or http (400 to 599)',
      description: 'Error with which the stream has to fail: a close code, or a status of the handshake',
    },
  ),
};

const CaseSchema = settings(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Unique name. Default: the path without extension',
    }),
    audio: fileOf('Any audio or video file'),
    cassette: fileOf('File that rxscribe record wrote'),
    reference: fileOf(
      'Reference: .txt, .json, .srt, .vtt or .ttml. Default: the file of the same name beside it',
    ),
    ...CASE_SETTINGS,
  },
  { title: 'a case with audio or cassette' },
);

/**
 * Schema of a suite file, YAML or JSON, whose paths are relative to it. A token is never part of it.
 *
 * @example
 * // name: calls
 * // concurrency: 2
 * // thresholds: { wer: 30%, coverage: 0.99, delay.final.p95: 2 }
 * // defaults: { language: en, speed: max, query: { detailed_partials: true } }
 * // cases:
 * //   - audio: talk.wav
 * //     reference: talk.txt
 * //     keywords: [Dashwood, Norland]
 * //   - cassette: call.jsonl
 * //     faults: [[{ kind: cut, after_seconds: 3 }]]
 */
export const SuiteFileSchema = Type.Object(
  {
    ...settings({
      name: textOf('Default: the name of the file'),
      url: textOf('Service to stream to. Default: --url'),
      equivalences: fileOf("File of texts that mean the same, a line each: 'ice cream = icecream'"),
      concurrency: integerFrom(1, 1000, 'Simultaneous streams. Default 1'),
      seed: integerFrom(0, 2 ** 32 - 1, 'Seed of the bootstrap and of faults. Default 1'),
      thresholds: ThresholdsSchema,
      defaults: settings(CASE_SETTINGS, { description: 'Settings of cases that do not override them' }),
    }).properties,
    cases: Type.Array(CaseSchema, { minItems: 1, maxItems: 100_000 }),
  },
  { additionalProperties: false, title: 'a suite with cases' },
);

export type SuiteFile = Static<typeof SuiteFileSchema>;
export type CaseEntry = SuiteFile['cases'][number];
export type CaseSettings = NonNullable<SuiteFile['defaults']>;
