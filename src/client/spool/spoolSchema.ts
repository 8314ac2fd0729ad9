import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type PcmFormat } from '../../audio/format/format.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { STREAM_OPTIONS } from '../../protocol/streamQuery.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { LastingEventSchema } from '../liveEventSchema.ts';
import { serviceAddress } from '../serviceAccess.ts';
import { readFully } from './fileAccess.ts';
import type { SpoolNote, SpoolSubject } from './spool.ts';
import type { WriterRecord } from './writerProcess.ts';

const Name = Type.String({ maxLength: 2048 });
const Frame = Type.Integer({ minimum: 0, maximum: 2 ** 48 });
const FrameRange = Type.Object({ startFrame: Frame, endFrame: Frame });

const Query = Type.Partial(Type.Object(STREAM_OPTIONS));

const Note = Compile(
  Type.Union([
    Type.Object({ type: Type.Literal('event'), event: LastingEventSchema }),
    Type.Object({
      type: Type.Literal('job'),
      hole: FrameRange,
      jobId: Name,
      address: Name,
      transcriber: Type.Optional(Type.Literal('human')),
    }),
    Type.Object({ type: Type.Literal('query'), startFrame: Frame, query: Query }),
    Type.Object({ type: Type.Literal('ended'), endFrame: Frame }),
  ]),
);

const Subject = Compile(
  Type.Object({
    addresses: Type.Array(Name, { maxItems: 100 }),
    query: Query,
    marginSeconds: Type.Number({ minimum: 0, maximum: 3600 }),
  }),
);

const Writer = Compile(
  Type.Object({
    pid: Type.Integer({ minimum: 1 }),
    start: Type.Optional(Name),
    header: Type.Integer(),
    salt: Type.Optional(Name),
  }),
);

const Header = Compile(
  Type.Object({
    encrypted: Type.Boolean(),
    format: Type.Object({
      sampleFormat: Type.Union(Object.keys(BYTES_PER_SAMPLE).map(name => Type.Literal(name))),
      sampleRate: Type.Integer({ minimum: 1, maximum: SAMPLE_RATE_RANGE.max }),
      channels: Type.Integer({ minimum: 1, maximum: CHANNELS_RANGE.max }),
    }),
  }),
);

/** Parses a note; undefined when it is invalid. */
export function parseNote(payload: Uint8Array): SpoolNote | undefined {
  const value = jsonOf(Buffer.from(payload).toString());
  return Note.Check(value) ? (value as SpoolNote) : undefined;
}

/** Parses a subject; undefined when it is invalid. */
export function parseSubject(payload: Uint8Array): SpoolSubject | undefined {
  const value = jsonOf(Buffer.from(payload).toString());
  if (!Subject.Check(value)) return undefined;
  return value.addresses.every(isAddress) ? value : undefined;
}

/** Parses a writer record; undefined when it is invalid. */
export function parseWriter(payload: Uint8Array): WriterRecord | undefined {
  const value = jsonOf(Buffer.from(payload).toString());
  return Writer.Check(value) ? value : undefined;
}

function isAddress(text: string): boolean {
  try {
    return serviceAddress(text, 'http').protocol !== '';
  } catch {
    return false;
  }
}

const VERSION = 1;
const MAX_HEADER_BYTES = 4096;

/** The first line of a spool, which is never encrypted. */
export interface SpoolHeader {
  readonly format: PcmFormat;
  readonly encrypted: boolean;
}

/** Returns the first line of a spool. */
export function headerLine({ format, encrypted }: SpoolHeader): string {
  const { sampleFormat, sampleRate, channels } = format;
  return `${JSON.stringify({ rxscribe: 'spool', version: VERSION, encrypted, format: { sampleFormat, sampleRate, channels } })}\n`;
}

/**
 * Reads the first line of a spool.
 *
 * @throws InvalidArgumentError when the file is not a spool, or one of another version
 */
export function readHeader(
  fd: number,
  path: string,
): { readonly header: SpoolHeader; readonly line: string } {
  const bytes = new Uint8Array(MAX_HEADER_BYTES);
  const text = Buffer.from(bytes.subarray(0, readFully(fd, bytes, 0))).toString('latin1');
  const line = text.slice(0, text.indexOf('\n') + 1);
  const header = jsonOf(line) as WrittenHeader | null | undefined;
  if (header?.rxscribe !== 'spool' || !header.format) {
    throw new InvalidArgumentError(`Cannot read '${path}': it is not a spool.`);
  }
  if (header.version !== VERSION) {
    const found = Number.isSafeInteger(header.version) ? header.version : 'unknown';
    throw new InvalidArgumentError(`Cannot read spool '${path}': it has version ${found}, not ${VERSION}.`);
  }
  if (headerLine(header) !== line || !Header.Check(header)) {
    throw new InvalidArgumentError(`Cannot read spool '${path}': its first line is damaged.`);
  }
  return { header, line };
}

type WrittenHeader = SpoolHeader & { readonly rxscribe: unknown; readonly version: unknown };
