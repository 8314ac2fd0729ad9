import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type PcmFormat } from '../../audio/format/format.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { STREAM_OPTIONS } from '../../protocol/streamQuery.ts';
import { LastingEventSchema } from '../liveEventSchema.ts';
import { damaged } from './fileAccess.ts';
import type { SpoolNote, SpoolSubject } from './spool.ts';

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

const Subject = Type.Object({
  addresses: Type.Array(Type.String({ maxLength: 2048, pattern: '^(ws|http)s?://' }), { maxItems: 100 }),
  query: Query,
  marginSeconds: Type.Number({ minimum: 0, maximum: 3600 }),
});

const Header = Compile(
  Type.Object({
    format: Type.Object({
      sampleFormat: Type.Union(Object.keys(BYTES_PER_SAMPLE).map(name => Type.Literal(name))),
      sampleRate: Type.Integer({ minimum: 1, maximum: SAMPLE_RATE_RANGE.max }),
      channels: Type.Integer({ minimum: 1, maximum: CHANNELS_RANGE.max }),
    }),
    subject: Subject,
  }),
);

/** Returns whether a record is a note. */
export const isNote = (value: unknown): value is SpoolNote => Note.Check(value);

const VERSION = 1;

/** The first record of a spool. */
export interface SpoolHeader {
  readonly format: PcmFormat;
  readonly subject: SpoolSubject;
}

/** Returns the first record of a spool. */
export const headerRecord = (header: SpoolHeader) => ({ rxscribe: 'spool', version: VERSION, ...header });

/**
 * Checks the first record of a spool.
 *
 * @throws InvalidArgumentError when it is not one of a spool, or one of another version; RxscribeError `unreadable-input` when
 * its content is not valid
 */
export function parseHeader(value: unknown, path: string): SpoolHeader {
  const found = value as { readonly rxscribe?: unknown; readonly version?: unknown } | null | undefined;
  if (found?.rxscribe !== 'spool') {
    throw new InvalidArgumentError(`Cannot read '${path}': it is not a spool, or an empty one.`);
  }
  if (found.version !== VERSION) {
    const version = Number.isSafeInteger(found.version) ? found.version : 'unknown';
    throw new InvalidArgumentError(`Cannot read spool '${path}': it has version ${version}, not ${VERSION}.`);
  }
  if (!Header.Check(value)) throw damaged(path, 'its first line');
  return value as SpoolHeader;
}
