import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { MAX_CLOSE_REASON_BYTES } from '../../../protocol/closeCodes.ts';
import { fromWire, toWire } from '../../../protocol/wireNames.ts';

/**
 * When a fault happens: so much has passed on its connection, both where both are given; at once where neither is. It has
 * its place among the messages: what was to be said before still comes, however late.
 */
export interface FaultMoment {
  /** Audio received on the connection, in seconds. */
  readonly afterSeconds?: number;
  /** Messages sent on the connection. */
  readonly afterMessages?: number;
}

/** What a service that plays a cassette does wrong on one connection. */
export type PlayFault =
  /** TCP reset. */
  | { readonly kind: 'cut' }
  /** Nothing passes any more, pongs included, and nobody is told. */
  | { readonly kind: 'half-open' }
  /** Messages come so much later from then on, in order; `jitterMs` adds a random part. */
  | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number }
  /** From then on, so many messages come in an order shuffled by the seed. */
  | { readonly kind: 'reorder'; readonly messages: number }
  /** A message comes twice. */
  | { readonly kind: 'duplicate' }
  /** A message is left out. */
  | { readonly kind: 'drop' }
  /** The service closes. */
  | { readonly kind: 'close'; readonly code: number; readonly reason?: string }
  /** `connected` comes so much later: a recogniser must be found first. */
  | { readonly kind: 'slow-start'; readonly ms: number }
  /** The connection is reset before the handshake. */
  | { readonly kind: 'refuse' }
  /** The handshake gets this answer. */
  | { readonly kind: 'http-status'; readonly status: number };

export type PlannedPlayFault = PlayFault & FaultMoment;

/** Faults of the first connection, of the second, and so on; those behind the last are well. */
export type FaultSchedule = readonly (readonly PlannedPlayFault[])[];

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

/**
 * Refuses a schedule that cannot happen as it is written: programs may not be in TypeScript.
 *
 * @throws InvalidArgumentError
 */
export function checkFaults(schedule: FaultSchedule): FaultSchedule {
  for (const [index, faults] of schedule.entries()) {
    for (const fault of faults) {
      const wrong = faultOf(fault);
      if (wrong) throw new InvalidArgumentError(`faults: connection ${index}, ${fault.kind}: ${wrong}`);
    }
  }
  return schedule;
}

/** What is wrong with it, if anything. */
function faultOf(fault: PlannedPlayFault): string | undefined {
  const schema = Object.hasOwn(FAULT_SCHEMAS, fault.kind) ? FAULT_SCHEMAS[fault.kind] : undefined;
  if (!schema) return `kind: wanted ${Object.keys(FAULT_SCHEMAS).join(', ')}`;
  const names = Object.keys(fromWire(schema, schema.properties as never));
  const unknown = Object.keys(fault).find(name => !names.includes(name));
  if (unknown !== undefined) return `wanted ${names.join(', ')}, found ${unknown}`;
  const wire = toWire(schema, fault as never);
  const [error] = Value.Errors(schema, wire);
  if (error) return `${error.instancePath.slice(1) || 'fields'}: ${error.message}`;
  return fault.kind === 'close' ? closeFaultOf(fault) : undefined;
}

function closeFaultOf({ code, reason = '' }: { readonly code: number; readonly reason?: string }) {
  if (!isCloseCode(code)) return `code: wanted one that a service may send, found ${code}`;
  const { length } = Buffer.from(reason);
  if (length <= MAX_CLOSE_REASON_BYTES) return undefined;
  return `reason: wanted at most ${MAX_CLOSE_REASON_BYTES} bytes, found ${length}`;
}

/** True for a status code that a close frame may carry (RFC 6455, section 7.4). */
export function isCloseCode(code: number): boolean {
  const isOfProtocol = code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code);
  return Number.isInteger(code) && (isOfProtocol || (code >= 3000 && code <= 4999));
}
