import { type TProperties, Type } from 'typebox';
import { HOLE_CAUSES } from '../transcript/model/coverage.ts';

/** Schemas of the events of `transcribe` in files, with the same names as in programs. */

const Text = Type.String({ maxLength: 1024 * 1024 });
const Name = Type.String({ maxLength: 2048 });
const Index = Type.Integer({ minimum: 0, maximum: 1e6 });
const Seconds = Type.Number({ minimum: -1e10, maximum: 1e10 });

const TextElement = Type.Object({
  type: Type.Literal('text'),
  value: Text,
  ts: Type.Optional(Seconds),
  endTs: Type.Optional(Seconds),
  confidence: Type.Optional(Type.Number()),
});

const Element = Type.Union([
  TextElement,
  Type.Object({ type: Type.Union([Type.Literal('punct'), Type.Literal('unknown')]), value: Text }),
]);

const Monologue = Type.Object({
  speaker: Index,
  speakerInfo: Type.Optional(Type.Object({ id: Text, displayName: Text })),
  elements: Type.Array(Element),
});

function placed<const Kind extends string, Properties extends TProperties>(
  type: Kind,
  properties: Properties,
) {
  const span = { ts: Seconds, endTs: Seconds, channel: Type.Optional(Index) };
  return Type.Object({ type: Type.Literal(type), ...span, ...properties });
}

const LASTING = [
  Type.Object({ type: Type.Literal('connected'), id: Name }),
  placed('final', { elements: Type.Array(Element), speaker: Type.Optional(Index) }),
  placed('silence', {}),
  placed('hole', { cause: Type.Union(HOLE_CAUSES.map(cause => Type.Literal(cause))) }),
  placed('repair', { monologues: Type.Array(Monologue), jobId: Name }),
] as const;

/** A `LiveEvent` with a lasting result: any event but a partial. */
export const LastingEventSchema = Type.Union([...LASTING]);

/** A `LiveEvent`. */
export const LiveEventSchema = Type.Union([
  ...LASTING,
  placed('partial', { elements: Type.Array(TextElement) }),
]);
