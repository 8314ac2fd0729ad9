import { type Static, type TProperties, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../audio/format/format.ts';
import { LiveEventSchema } from '../../client/liveEventSchema.ts';
import type { AudioDataLine, CassetteHeader, CassetteLine, EndLine } from './cassette.ts';
import { CASSETTE_LIMITS } from './cassetteLimits.ts';

/** Schemas of the lines, one per kind. Unknown fields are ignored, because a newer program may have added them. */

/** Any line of a cassette file. */
export type CassetteFileLine = CassetteHeader | CassetteLine | AudioDataLine | EndLine;

const Text = Type.String({ maxLength: CASSETTE_LIMITS.messageBytes });
const Name = Type.String({ maxLength: 4096 });
const Frame = Type.Integer({ minimum: 0, maximum: 2 ** 48 });
const Frames = Type.Integer({ minimum: 1, maximum: 2 ** 48 });
const Speed = Type.Union([
  Type.Literal('max'),
  Type.Number({ exclusiveMinimum: 0, maximum: CASSETTE_LIMITS.speed }),
]);
/** Milliseconds, up to some 30 years. */
const ms = Type.Number({ minimum: 0, maximum: 1e12 });
const SAMPLE_FORMATS = Object.keys(BYTES_PER_SAMPLE) as SampleFormat[];
/** A plain file name, which cannot leave the directory of the cassette. */
const FileName = Type.String({ pattern: '^(?!\\.\\.?$)[^/\\\\:\\u0000-\\u001f]{1,255}$' });

function line<const Kind extends string, Properties extends TProperties>(type: Kind, properties: Properties) {
  return Type.Object({ type: Type.Literal(type), ...properties });
}

function onConnection<const Kind extends string, Properties extends TProperties>(
  type: Kind,
  properties: Properties,
) {
  const connection = Type.Integer({ minimum: 0, maximum: CASSETTE_LIMITS.connections });
  return line(type, { ms, connection, frame: Frame, ...properties });
}

const SCHEMAS = {
  cassette: line('cassette', {
    version: Type.Integer({ minimum: 1 }),
    recorded_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' }),
    software: Type.Record(Type.String(), Name),
    origin: Type.Optional(Name),
  }),
  audio: line('audio', {
    ms,
    format: Type.Object({
      sample_format: Type.Union(SAMPLE_FORMATS.map(name => Type.Literal(name))),
      sample_rate: Type.Integer({ minimum: SAMPLE_RATE_RANGE.min, maximum: SAMPLE_RATE_RANGE.max }),
      channels: Type.Integer({ minimum: CHANNELS_RANGE.min, maximum: CHANNELS_RANGE.max }),
    }),
    block_frames: Frames,
    speed: Type.Optional(Speed),
    container: Type.Optional(Type.Literal('wav')),
    file: Type.Optional(FileName),
  }),
  block: line('block', { ms, frame: Frames }),
  query: line('query', { ms, frame: Frame, query: Type.Record(Type.String(), Text) }),
  connect: onConnection('connect', { address: Name, query: Type.Record(Type.String(), Text) }),
  opened: onConnection('opened', {}),
  send: onConnection('send', { start: Frame, frames: Frames }),
  pad: onConnection('pad', { frames: Frames }),
  send_text: onConnection('send_text', { text: Text }),
  message: onConnection('message', {
    message: Type.Optional(Type.Unknown()),
    text: Type.Optional(Text),
    heard: Type.Optional(Type.Literal(false)),
  }),
  binary: onConnection('binary', {}),
  close: onConnection('close', {
    by: Type.Union([Type.Literal('client'), Type.Literal('service'), Type.Literal('network')]),
    code: Type.Integer({ minimum: 1000, maximum: 4999 }),
    reason: Text,
    http_status: Type.Optional(Type.Integer({ minimum: 100, maximum: 999 })),
  }),
  gap: line('gap', { ms, start: Frame, frames: Frames }),
  status: line('status', { ms, status: Type.Record(Type.String(), Type.Unknown()) }),
  event: line('event', { ms, event: LiveEventSchema }),
  audio_data: line('audio_data', {
    data: Type.String({
      maxLength: CASSETTE_LIMITS.audioDataLength,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
    }),
  }),
  end: line('end', {
    ms,
    frames: Frame,
    audio: Type.Optional(
      Type.Object({
        container: Type.Union([Type.Literal('wav'), Type.Literal('flac')]),
        file: Type.Optional(FileName),
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
    ),
  }),
} as const satisfies Record<CassetteFileLine['type'], unknown>;

type Schemas = typeof SCHEMAS;
type SchemaLine = { [Kind in keyof Schemas]: Static<Schemas[Kind]> }[keyof Schemas];

interface LineValidator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly SchemaError[];
}

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const VALIDATORS = Object.fromEntries(
  Object.entries(SCHEMAS).map(([type, schema]) => [type, Compile(schema)]),
) as unknown as Readonly<Record<CassetteFileLine['type'], LineValidator>>;

/** The fault of a line. */
export interface LineFault {
  readonly expected: string;
  readonly found: string;
}

/** Returns the line as its schema defines it, or its fault. */
export function checkLine(json: unknown): CassetteFileLine | LineFault {
  const type = (json as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(VALIDATORS, type)) {
    const found = typeof type === 'string' && /^[a-z_]{1,32}$/.test(type) ? `"${type}"` : kindOf(type);
    return { expected: `a line of a known type (${Object.keys(VALIDATORS).join(', ')})`, found };
  }
  const validator = VALIDATORS[type as CassetteFileLine['type']];
  if (validator.Check(json)) return toLine(json as SchemaLine);
  const errors = validator.Errors(json);
  const instancePath = errors[0]?.instancePath ?? '';
  return {
    expected: `${type}: ${instancePath.slice(1)} ${expectedOf(errors)}`,
    found: kindOf(valueAt(json, instancePath)),
  };
}

/**
 * Describes the expected value. Where one of several words is expected, it lists them all, because the first one alone
 * would mislead.
 */
function expectedOf(errors: readonly SchemaError[]): string {
  const [first] = errors;
  const here = errors.filter(({ instancePath }) => instancePath === first?.instancePath);
  const words = here.filter(({ keyword }) => keyword === 'const');
  if (words.length === 0) return first?.message ?? 'must follow the format';
  const places = new Set(words.map(({ schemaPath }) => schemaPath));
  const others = here.filter(error => error.keyword !== 'anyOf' && !places.has(error.schemaPath));
  const expected = [
    ...words.map(({ params }) => JSON.stringify((params as { allowedValue?: unknown }).allowedValue)),
    ...others.map(({ message }) => message.replace(/^must be /, '')),
  ];
  return `must be ${expected.join(' or ')}`;
}

/** Fails to compile if the schemas and the types of the lines differ. */
const toLine = (line: SchemaLine): CassetteFileLine => line;

function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const name of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  }
  return value;
}

/** Describes a value by its type, not by its content, which may be transcript text. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return Array.isArray(value) ? 'a list' : 'an object';
}
