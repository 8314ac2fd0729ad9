import { Type } from 'typebox';
import { HOLE_CAUSES } from '../../transcript/model/coverage.ts';

/** Version of the JSON that `--report` writes. */
export const REPORT_VERSION = 1;

const Name = Type.String({ minLength: 1 });
const Count = Type.Integer({ minimum: 0 });
const Seconds = Type.Number();
const Rate = Type.Number({ minimum: 0 });
const Part = Type.Number({ minimum: 0, maximum: 1 });

function nullable<S extends Type.TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

function oneOf<const T extends readonly string[]>(values: T) {
  return Type.Union(values.map(value => Type.Literal(value as T[number])));
}

/** Returns the schema of an object whose fields have one schema. */
function fields<Name extends string, S extends Type.TSchema>(schema: S, ...names: readonly Name[]) {
  return Type.Object(Object.fromEntries(names.map(name => [name, schema])) as Record<Name, S>);
}

const Interval = fields(Type.Number(), 'low', 'high');
const Errors = fields(Count, 'tokens', 'hits', 'substitutions', 'deletions', 'insertions');
const TokenErrors = fields(Count, 'tokens', 'errors');
const Delay = Type.Object({
  seconds: Seconds,
  text: Type.String(),
  endTs: Seconds,
  file: Type.Optional(Name),
});
const Delays = Type.Object({
  ...{ p50: Seconds, p95: Seconds, p99: Seconds, max: Seconds, count: Count },
  latest: Type.Array(Delay),
});
const RULES = ['columns', 'rows', 'speed', 'short', 'long', 'gap'] as const;

const MEASURES = {
  wer: nullable(Rate),
  cer: nullable(Rate),
  words: nullable(Errors),
  characters: nullable(TokenErrors),
  werInterval: nullable(Interval),
  speakers: Type.Array(Type.Object({ speaker: Type.String(), wer: Rate, words: Errors })),
  keywords: nullable(
    Type.Object({
      recall: nullable(Part),
      keywords: Type.Array(Type.Object({ keyword: Type.String(), said: Count, heard: Count })),
    }),
  ),
  delay: nullable(fields(nullable(Delays), 'firstPartial', 'word', 'final')),
  upwr: Rate,
  upsr: Rate,
  coverage: Part,
  coverageSeconds: fields(Rate, 'final', 'silence', 'inaudible', 'hole', 'unknown'),
  violations: Count,
  violationsByRule: Type.Partial(fields(Count, ...RULES)),
  reconnects: Count,
  attempts: Count,
  withText: Part,
  perfect: nullable(Part),
};

const Spreads = Type.Record(
  Type.String(),
  Type.Object({ min: Type.Number(), median: Type.Number(), max: Type.Number(), deviation: Rate }),
);

const AlignedWord = Type.Object({
  type: oneOf(['hit', 'substitution', 'deletion', 'insertion'] as const),
  reference: Type.Optional(Type.String()),
  hypothesis: Type.Optional(Type.String()),
  ts: Type.Optional(Seconds),
  endTs: Type.Optional(Seconds),
  referenceTs: Type.Optional(Seconds),
  referenceEndTs: Type.Optional(Seconds),
  speaker: Type.Optional(Type.String()),
});

const CoverageSpan = Type.Object({
  ts: Seconds,
  endTs: Seconds,
  kind: oneOf(['final', 'silence', 'inaudible', 'hole'] as const),
  provenance: Type.Optional(oneOf(['live', 'repaired'] as const)),
  cause: Type.Optional(oneOf(HOLE_CAUSES)),
  channel: Type.Optional(Count),
});

const FileReportSchema = Type.Object({
  ...MEASURES,
  name: Name,
  repeat: Type.Integer({ minimum: 1 }),
  language: Type.String(),
  rules: Name,
  speed: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Literal('max')]),
  service: Type.String(),
  seconds: Rate,
  durationSeconds: Rate,
  reference: Type.Optional(oneOf(['file', 'recording'] as const)),
  failure: Type.Optional(Type.String()),
  isExpected: Type.Optional(Type.Boolean()),
  mismatches: Type.Array(Type.String()),
  alignment: Type.Array(AlignedWord),
  segments: Type.Array(TokenErrors),
  coverageSpans: Type.Array(CoverageSpan),
  brokenCues: Type.Array(
    Type.Object({ ts: Seconds, endTs: Seconds, text: Type.String(), rules: Type.Array(oneOf(RULES)) }),
  ),
});

const GateCheckSchema = Type.Object({
  kind: oneOf(['stream', 'streams', 'mismatches', 'threshold', 'baseline'] as const),
  file: Type.Optional(Name),
  repeat: Type.Optional(Type.Integer({ minimum: 1 })),
  cohort: Type.Optional(Name),
  measure: Name,
  passed: Type.Boolean(),
  isInvalid: Type.Optional(Type.Boolean()),
  message: Type.String(),
  value: nullable(Type.Number()),
  limit: Type.Number(),
  baseline: Type.Optional(Type.Number()),
  interval: Type.Optional(Interval),
});

/** The JSON of a `Report`. What a later program adds is let through. */
export const ReportSchema = Type.Object({
  ...MEASURES,
  report: Type.Literal('rxscribe'),
  version: Type.Literal(REPORT_VERSION),
  createdAt: Type.String(),
  suite: Type.String(),
  rules: Type.Array(Type.String()),
  alignment: oneOf(['levenshtein', 'sclite'] as const),
  machine: Type.Optional(Type.Object({ eventLoopP99: Rate, waiting: nullable(Part) })),
  software: Type.Record(Type.String(), Type.String()),
  files: Type.Array(FileReportSchema),
  cohorts: Type.Optional(Type.Array(Type.Object({ ...MEASURES, name: Name, files: Count }))),
  spread: Type.Optional(
    Type.Object({ runs: Count, all: Spreads, files: Type.Record(Type.String(), Spreads) }),
  ),
  gate: Type.Object({
    passed: Type.Boolean(),
    isInvalid: Type.Optional(Type.Boolean()),
    checks: Type.Array(GateCheckSchema),
  }),
});
