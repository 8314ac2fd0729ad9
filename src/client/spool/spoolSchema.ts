import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { LastingEventSchema } from '../liveEventSchema.ts';
import { serviceAddress } from '../serviceAccess.ts';
import type { SpoolNote, SpoolSubject } from './spool.ts';
import type { WriterRecord } from './writerProcess.ts';

const Text = Type.String({ maxLength: 100_000 });
const Name = Type.String({ maxLength: 2048 });
const Frame = Type.Integer({ minimum: 0, maximum: 2 ** 48 });
const Flag = Type.Optional(Type.Boolean());
const FrameRange = Type.Object({ startFrame: Frame, endFrame: Frame });

const Note = Compile(
  Type.Union([
    Type.Object({ type: Type.Literal('event'), event: LastingEventSchema }),
    Type.Object({ type: Type.Literal('job'), hole: FrameRange, jobId: Name, address: Name }),
    Type.Object({ type: Type.Literal('ended'), endFrame: Frame }),
  ]),
);

const Subject = Compile(
  Type.Object({
    addresses: Type.Array(Name, { maxItems: 100 }),
    query: Type.Object({
      metadata: Type.Optional(Text),
      language: Type.Optional(Name),
      customVocabularyId: Type.Optional(Name),
      customVocabularies: Type.Optional(Type.Array(Type.Object({ phrases: Type.Array(Text) }))),
      filterProfanity: Flag,
      removeDisfluencies: Flag,
      skipPostprocessing: Flag,
      deleteAfterSeconds: Type.Optional(Type.Number({ minimum: 0 })),
      userAgent: Type.Optional(Name),
      detailedPartials: Flag,
      startTs: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
      enableSpeakerSwitch: Flag,
      maxSegmentDurationSeconds: Type.Optional(Type.Number()),
      maxConnectionWaitSeconds: Type.Optional(Type.Number()),
    }),
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

/** Undefined for what no spool has. */
export function parseNote(payload: Uint8Array): SpoolNote | undefined {
  const value = jsonOf(payload);
  return Note.Check(value) ? (value as SpoolNote) : undefined;
}

/** Undefined for what no spool has. */
export function parseSubject(payload: Uint8Array): SpoolSubject | undefined {
  const value = jsonOf(payload);
  if (!Subject.Check(value)) return undefined;
  return value.addresses.every(isAddress) ? value : undefined;
}

/** Undefined for what no spool has. */
export function parseWriter(payload: Uint8Array): WriterRecord | undefined {
  const value = jsonOf(payload);
  return Writer.Check(value) ? value : undefined;
}

function isAddress(text: string): boolean {
  try {
    return serviceAddress(text, 'http').protocol !== '';
  } catch {
    return false;
  }
}

function jsonOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString());
  } catch {
    return undefined;
  }
}
