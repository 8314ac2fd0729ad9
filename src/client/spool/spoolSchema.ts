import { type TProperties, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { serviceAddress } from '../serviceAddress.ts';
import type { SpoolNote, SpoolSubject } from './spool.ts';
import type { WriterRecord } from './writerProcess.ts';

const Text = Type.String({ maxLength: 100_000 });
const Name = Type.String({ maxLength: 2048 });
const Index = Type.Integer({ minimum: 0, maximum: 1e6 });
const Frame = Type.Integer({ minimum: 0, maximum: 2 ** 48 });
const Seconds = Type.Number({ minimum: -1e10, maximum: 1e10 });
const Flag = Type.Optional(Type.Boolean());
const FrameRange = Type.Object({ startFrame: Frame, endFrame: Frame });

const Element = Type.Union([
  Type.Object({
    type: Type.Literal('text'),
    value: Text,
    ts: Type.Optional(Seconds),
    endTs: Type.Optional(Seconds),
    confidence: Type.Optional(Type.Number()),
  }),
  Type.Object({ type: Type.Union([Type.Literal('punct'), Type.Literal('unknown')]), value: Text }),
]);

const Monologue = Type.Object({
  speaker: Index,
  speakerInfo: Type.Optional(Type.Object({ id: Text, displayName: Text })),
  elements: Type.Array(Element),
});

const CAUSES = ['gap', 'dropped', 'gave-up', 'out-of-credit', 'async-only', 'killed'] as const;

function placed<const Kind extends string, Properties extends TProperties>(
  type: Kind,
  properties: Properties,
) {
  const span = { ts: Seconds, endTs: Seconds, channel: Type.Optional(Index) };
  return Type.Object({ type: Type.Literal(type), ...span, ...properties });
}

const Event = Type.Union([
  Type.Object({ type: Type.Literal('connected'), id: Name }),
  placed('final', { elements: Type.Array(Element), speaker: Type.Optional(Index) }),
  placed('silence', {}),
  placed('hole', { cause: Type.Union(CAUSES.map(cause => Type.Literal(cause))) }),
  placed('repair', { monologues: Type.Array(Monologue), jobId: Name }),
]);

const Note = Compile(
  Type.Union([
    Type.Object({ type: Type.Literal('event'), event: Event }),
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
