import { type Static, type TProperties, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Pointer } from 'typebox/value';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../audio/format/format.ts';
import { LiveEventSchema } from '../../client/liveEventSchema.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { CASSETTE_LIMITS } from './cassetteLimits.ts';

/**
 * Schemas of the lines, one per kind; the types of lines follow from them. Unknown fields are ignored, because a newer
 * program may have added them. Names are snake_case, as on the wire.
 */

const Text = Type.String({ maxLength: CASSETTE_LIMITS.messageBytes });
const Name = Type.String({ maxLength: 4096 });
const Frame = Type.Integer({ minimum: 0, maximum: 2 ** 48 });
const Frames = Type.Integer({ minimum: 1, maximum: 2 ** 48 });
const Speed = Type.Union([
  Type.Literal('max'),
  Type.Number({ exclusiveMinimum: 0, maximum: CASSETTE_LIMITS.speed }),
]);
/** Milliseconds since the recording began, up to some 30 years. */
const ms = Type.Number({ minimum: 0, maximum: 1e12 });
const SAMPLE_FORMATS = Object.keys(BYTES_PER_SAMPLE) as SampleFormat[];
/** Types of statuses that always have an error. */
const ERROR_STATUSES = ['reconnecting', 'repair-delayed', 'failed'] as const;
/** A plain file name, which cannot leave the directory of the cassette. */
const FileName = Type.String({ pattern: '^(?!\\.\\.?$)[^/\\\\:\\u0000-\\u001f]{1,255}$' });
/** Fails to compile, at the writers of events, if the schema and the type of events differ. */
const Event =
  Type.Unsafe<Static<typeof LiveEventSchema> extends LiveEvent ? LiveEvent : never>(LiveEventSchema);

/** Types of statuses without an error; `satisfies` keeps the list complete. */
const STATUS_TYPES = Object.keys({
  warning: true,
  connecting: true,
  open: true,
  connected: true,
  progress: true,
  switched: true,
  fallback: true,
  repairing: true,
  repaired: true,
  draining: true,
  closed: true,
} satisfies Record<Exclude<StreamStatus['type'], (typeof ERROR_STATUSES)[number]>, true>);

const Status = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Union([
    Type.Object({ type: Type.Union(STATUS_TYPES.map(type => Type.Literal(type))) }),
    Type.Object({
      type: Type.Union(ERROR_STATUSES.map(type => Type.Literal(type))),
      error: Type.Object({ message: Type.String() }),
    }),
  ]),
);

function line<const Kind extends string, Properties extends TProperties>(type: Kind, properties: Properties) {
  return Type.Object({ type: Type.Literal(type), ...properties });
}

function onConnection<const Kind extends string, Properties extends TProperties>(
  type: Kind,
  properties: Properties,
) {
  return line(type, {
    ms,
    connection: Type.Integer({ minimum: 0, maximum: CASSETTE_LIMITS.connections }),
    /** End of the audio sent on this connection, in frames of the source; it never decreases. */
    frame: Frame,
    ...properties,
  });
}

const SCHEMAS = {
  cassette: line('cassette', {
    version: Type.Integer({ minimum: 1 }),
    /** Time of the recording, ISO 8601, UTC. */
    recorded_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' }),
    /** Versions of the programs, such as `{ "rxscribe": "0.1.0", "node": "24.21.0" }`. */
    software: Type.Record(Type.String(), Name),
  }),
  /** The format of the audio, written with the first block. */
  audio: line('audio', {
    ms,
    format: Type.Object({
      sample_format: Type.Unsafe<SampleFormat>(Type.Union(SAMPLE_FORMATS.map(name => Type.Literal(name)))),
      /** Hz. */
      sample_rate: Type.Integer({ minimum: SAMPLE_RATE_RANGE.min, maximum: SAMPLE_RATE_RANGE.max }),
      channels: Type.Integer({ minimum: CHANNELS_RANGE.min, maximum: CHANNELS_RANGE.max }),
    }),
    /** Frames of the first block of the source. */
    block_frames: Frames,
    /** Requested speed of the source in seconds of audio per second. Absent when unknown. */
    speed: Type.Optional(Speed),
    /** Format of the audio file during the recording. Absent when the audio is not kept. */
    container: Type.Optional(Type.Literal('wav')),
    /** Name of the audio file beside the cassette during the recording. Absent when the audio is embedded as `audio_data`. */
    file: Type.Optional(FileName),
  }),
  /** A block of the source whose audio ends at `frame`. It begins at the end of the block before, or after a gap. */
  block: line('block', { ms, frame: Frames }),
  /** The audio from a frame on has another query, with the parameters of the interface. */
  query: line('query', { ms, frame: Frame, query: Type.Record(Type.String(), Text) }),
  /** A new connection: its address without query and credentials, and the parameters of the interface, so never a token. */
  connect: onConnection('connect', { address: Name, query: Type.Record(Type.String(), Text) }),
  opened: onConnection('opened', {}),
  /** A binary frame of audio: frames of the source from `start` up to `frame`. */
  send: onConnection('send', { start: Frame, frames: Frames }),
  /** A binary frame of silence that is not in the source. */
  pad: onConnection('pad', { frames: Frames }),
  send_text: onConnection('send_text', { text: Text }),
  /** A text frame of the service: as `message` if `JSON.stringify` reproduces it exactly, else as `text`. */
  message: onConnection('message', {
    message: Type.Optional(Type.Unknown()),
    text: Type.Optional(Text),
    /**
     * False when the client did not emit the message unchanged: the message could not be decoded, had been emitted before, or
     * was emitted as an `event`.
     */
    heard: Type.Optional(Type.Literal(false)),
  }),
  binary: onConnection('binary', {}),
  close: onConnection('close', {
    by: Type.Union([Type.Literal('client'), Type.Literal('service'), Type.Literal('network')]),
    code: Type.Integer({ minimum: 1000, maximum: 4999 }),
    reason: Text,
    http_status: Type.Optional(Type.Integer({ minimum: 100, maximum: 999 })),
  }),
  /** Frames that the source left out; the recorded audio is silent there. */
  gap: line('gap', { ms, start: Frame, frames: Frames }),
  /** A status of the stream, as emitted by `status$`; an error has its code and message. */
  status: line('status', { ms, status: Status }),
  /**
   * An event of the client that no message contains as it stands: silence, holes, repairs, and results whose times or
   * start the client changed, for instance after a gap of the source.
   */
  event: line('event', { ms, event: Event }),
  /** A piece of an embedded audio file, in base64, in order. */
  audio_data: line('audio_data', {
    data: Type.String({
      maxLength: CASSETTE_LIMITS.audioDataLength,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
    }),
  }),
  /** The last line of a complete recording. */
  end: line('end', {
    ms,
    /** Frames of the source; 0 without audio. */
    frames: Frame,
    /** The audio file at the end of the recording. Absent without audio. */
    audio: Type.Optional(
      Type.Object({
        container: Type.Union([Type.Literal('wav'), Type.Literal('flac')]),
        /** Name of the audio file beside the cassette. Absent when the audio is embedded as `audio_data`. */
        file: Type.Optional(FileName),
        /** SHA-256, in hexadecimal, of the samples as in a WAV file (S16BE as S16LE), gaps as silence. */
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
    ),
  }),
} as const;

type Schemas = typeof SCHEMAS;
type LineKind = keyof Schemas;

/** A line of a cassette file of a kind. */
export type LineOf<Kind extends LineKind> = { readonly [Each in Kind]: Static<Schemas[Each]> }[Kind];

/** Any line of a cassette file. */
export type CassetteFileLine = LineOf<LineKind>;

const VALIDATORS: ReadonlyMap<unknown, Validator> = new Map(
  Object.entries(SCHEMAS).map(([type, schema]) => [type, Compile(schema)]),
);

/** The fault of a line. */
export interface LineFault {
  readonly expected: string;
  readonly found: string;
}

/** Returns the line as its schema defines it, or its fault. */
export function checkLine(json: unknown): CassetteFileLine | LineFault {
  const type = (json as { type?: unknown } | null)?.type;
  const validator = VALIDATORS.get(type);
  if (!validator) {
    const found = typeof type === 'string' && /^[a-z_]{1,32}$/.test(type) ? `"${type}"` : kindOf(type);
    return { expected: `a line of a known type (${[...VALIDATORS.keys()].join(', ')})`, found };
  }
  if (validator.Check(json)) return json as CassetteFileLine;
  const errors = validator.Errors(json);
  const instancePath = errors[0]?.instancePath ?? '';
  return {
    expected: `${type}: ${instancePath.slice(1)} ${expectedOf(errors)}`,
    found: kindOf(Pointer.Get(json, instancePath)),
  };
}

/**
 * Describes the expected value. Where one of several words is expected, it lists them all, because the first one alone
 * would mislead.
 */
function expectedOf(errors: ReturnType<Validator['Errors']>): string {
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

/** Describes a value by its type, not by its content, which may be transcript text. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return Array.isArray(value) ? 'a list' : 'an object';
}
