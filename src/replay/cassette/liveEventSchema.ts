import { type TProperties, Type } from 'typebox';

/** What `transcribe` tells, as it is written into an event line: names as programs have them. */

const Index = Type.Integer({ minimum: 0, maximum: 1e6 });
const Seconds = Type.Number({ minimum: -1e10, maximum: 1e10 });

const TextElement = Type.Object({
  type: Type.Literal('text'),
  value: Type.String(),
  ts: Type.Optional(Seconds),
  endTs: Type.Optional(Seconds),
  confidence: Type.Optional(Type.Number()),
});

const Element = Type.Union([
  TextElement,
  Type.Object({ type: Type.Literal('punct'), value: Type.String() }),
  Type.Object({ type: Type.Literal('unknown'), value: Type.String() }),
]);

const Monologue = Type.Object({
  speaker: Index,
  speakerInfo: Type.Optional(Type.Object({ id: Type.String(), displayName: Type.String() })),
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

/** {@link LiveEvent}. */
export const LiveEventSchema = Type.Union([
  Type.Object({ type: Type.Literal('connected'), id: Type.String() }),
  placed('partial', { elements: Type.Array(TextElement) }),
  placed('final', { elements: Type.Array(Element), speaker: Type.Optional(Index) }),
  placed('silence', {}),
  placed('hole', { cause: Type.Union(CAUSES.map(cause => Type.Literal(cause))) }),
  placed('repair', { monologues: Type.Array(Monologue), jobId: Type.String() }),
]);
