import { type TSchema, Type } from 'typebox';
import type { PlayFault } from './faultSchedule.ts';

const kindOf = (kind: string) => ({ kind: Type.Literal(kind) });
const WHEN = {
  after_seconds: Type.Optional(
    Type.Number({ minimum: 0, description: 'Of audio that was received on the connection' }),
  ),
  after_messages: Type.Optional(
    Type.Integer({ minimum: 0, description: 'That were sent on the connection' }),
  ),
};
const Milliseconds = Type.Number({ minimum: 0, maximum: 3_600_000 });
const strict = { additionalProperties: false };

/** One fault by its kind, in the names of suite files; when it happens is counted on its connection. */
export const FAULT_SCHEMAS = {
  cut: Type.Object({ ...kindOf('cut'), ...WHEN }, strict),
  'half-open': Type.Object({ ...kindOf('half-open'), ...WHEN }, strict),
  delay: Type.Object(
    { ...kindOf('delay'), ms: Milliseconds, jitter_ms: Type.Optional(Milliseconds), ...WHEN },
    strict,
  ),
  reorder: Type.Object(
    { ...kindOf('reorder'), messages: Type.Integer({ minimum: 2, maximum: 10_000 }), ...WHEN },
    strict,
  ),
  duplicate: Type.Object({ ...kindOf('duplicate'), ...WHEN }, strict),
  drop: Type.Object({ ...kindOf('drop'), ...WHEN }, strict),
  close: Type.Object(
    {
      ...kindOf('close'),
      code: Type.Integer({ minimum: 1000, maximum: 4999 }),
      reason: Type.Optional(Type.String({ maxLength: 123 })),
      ...WHEN,
    },
    strict,
  ),
  'slow-start': Type.Object({ ...kindOf('slow-start'), ms: Milliseconds, ...WHEN }, strict),
  refuse: Type.Object({ ...kindOf('refuse'), ...WHEN }, strict),
  'http-status': Type.Object(
    { ...kindOf('http-status'), status: Type.Integer({ minimum: 200, maximum: 599 }), ...WHEN },
    strict,
  ),
} satisfies Record<PlayFault['kind'], TSchema>;

/** {@link FaultSchedule} as suite files have it: names in snake_case. */
export const FaultScheduleSchema = Type.Array(
  Type.Array(Type.Union(Object.values(FAULT_SCHEMAS), { title: 'a fault by its kind' }), { maxItems: 1000 }),
  { maxItems: 1000, description: 'Faults of the first connection, of the second, and so on; cassettes only' },
);
