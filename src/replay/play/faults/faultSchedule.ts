import { type Static, type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { MAX_CLOSE_REASON_BYTES } from '../../../protocol/closeCodes.ts';
import { type Camel, fromWire, toWire } from '../../../protocol/wireNames.ts';
import { type FaultCarrier, type FaultKind, faultKinds } from './faultKinds.ts';

/**
 * The moment of a fault: when this much has passed on its connection, both if both are given, immediately if neither
 * is. A fault keeps its place among the messages: earlier messages are still sent, however late.
 */
export interface FaultMoment {
  /** Seconds of audio received on the connection. */
  readonly afterSeconds?: number;
  /** Messages sent on the connection. */
  readonly afterMessages?: number;
}

const Milliseconds = Type.Number({ minimum: 0, maximum: 3_600_000 });
/** From the client to the service, or from the service to the client. */
const Direction = Type.Union([Type.Literal('up'), Type.Literal('down')], { title: 'up or down' });

function fault<const Kind extends string, Properties extends TProperties>(
  kind: Kind,
  properties: Properties,
) {
  const fields = {
    kind: Type.Literal(kind),
    ...properties,
    after_seconds: Type.Optional(
      Type.Number({ minimum: 0, description: 'Seconds of audio received on the connection' }),
    ),
    after_messages: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Messages sent on the connection' }),
    ),
  };
  return Type.Object(fields, { additionalProperties: false });
}

/** Schemas of faults by kind, with the names of suite files. The moment of a fault counts on its connection. */
export const FAULT_SCHEMAS = {
  /** TCP reset. */
  cut: fault('cut', {}),
  /** The connection falls silent, pongs included, without a close. */
  'half-open': fault('half-open', {}),
  /** From then on, messages are delayed by `ms`, in order; `jitterMs` adds a random part. */
  delay: fault('delay', { ms: Milliseconds, jitter_ms: Type.Optional(Milliseconds) }),
  /** The next `messages` messages are sent in an order shuffled by the seed. */
  reorder: fault('reorder', { messages: Type.Integer({ minimum: 2, maximum: 10_000 }) }),
  /** A message is sent twice. */
  duplicate: fault('duplicate', {}),
  /** A message is left out. */
  drop: fault('drop', {}),
  /** The service closes the connection. */
  close: fault('close', {
    code: Type.Integer({ minimum: 1000, maximum: 4999 }),
    reason: Type.Optional(Type.String({ maxLength: 123 })),
  }),
  /** `connected` is delayed by `ms`, as if a recognizer had to be found first. */
  'slow-start': fault('slow-start', { ms: Milliseconds }),
  /** From then on, nothing passes in one direction, for `ms` or for good; the connection stays open. */
  stall: fault('stall', { direction: Direction, ms: Type.Optional(Milliseconds) }),
  /** From then on, one direction is this slow. */
  throttle: fault('throttle', {
    direction: Direction,
    bytes_per_second: Type.Integer({ minimum: 100, maximum: 1_000_000_000 }),
  }),
  /** The connection is reset before the handshake. */
  refuse: fault('refuse', {}),
  /** The handshake is answered with an HTTP status. */
  'http-status': fault('http-status', { status: Type.Integer({ minimum: 200, maximum: 599 }) }),
};

type FaultSchemas = typeof FAULT_SCHEMAS;
type WithoutMoment<Fault> = Fault extends unknown ? Omit<Fault, keyof FaultMoment> : never;

/** A fault on one connection, and its moment. */
export type PlannedPlayFault = {
  [Kind in FaultKind]: Camel<Static<FaultSchemas[Kind]>>;
}[FaultKind];

/** A fault on one connection. */
export type PlayFault = WithoutMoment<PlannedPlayFault>;

/** Faults of the first connection, of the second, and so on; later connections have none. */
export type FaultSchedule = readonly (readonly PlannedPlayFault[])[];

/** {@link FaultSchedule} with the snake_case names of suite files. */
export const FaultScheduleSchema = Type.Array(
  Type.Array(Type.Union(Object.values(FAULT_SCHEMAS), { title: 'a fault by its kind' }), { maxItems: 1000 }),
  {
    maxItems: 1000,
    description: 'Faults of the first connection, of the second, and so on',
  },
);

/**
 * Checks a schedule, because programs may not be in TypeScript.
 *
 * @param where place of the schedule for messages, such as ` of case 'talk'`
 * @throws InvalidArgumentError also for kinds of others; connections count from 1, as on the command line
 */
export function checkFaults(schedule: FaultSchedule, carrier?: FaultCarrier, where = ''): FaultSchedule {
  for (const [index, faults] of schedule.entries()) {
    for (const fault of faults) {
      const wrong = faultOf(fault, faultKinds(carrier));
      const name = `Fault '${fault.kind}' of connection ${index + 1}${where}`;
      if (wrong) throw new InvalidArgumentError(`${name} cannot be used: ${wrong}.`);
    }
  }
  return schedule;
}

/** Returns the reason why a fault is not valid; undefined for a valid one. */
function faultOf(fault: PlannedPlayFault, kinds: readonly FaultKind[]): string | undefined {
  if (!kinds.includes(fault.kind)) return `the kind must be one of ${kinds.join(', ')}`;
  const schema = FAULT_SCHEMAS[fault.kind];
  const names = Object.keys(fromWire(schema, schema.properties as never));
  const unknown = Object.keys(fault).find(name => !names.includes(name));
  if (unknown !== undefined) return `'${unknown}' is not known (known: ${names.join(', ')})`;
  const wire = toWire(schema, fault as never);
  const [error] = Value.Errors(schema, wire);
  if (error) return `${error.instancePath.slice(1) || 'fields'} ${error.message}`;
  return fault.kind === 'close' ? closeFaultOf(fault) : undefined;
}

function closeFaultOf({ code, reason = '' }: { readonly code: number; readonly reason?: string }) {
  if (!isCloseCode(code)) return `a service must not send the code ${code}`;
  const { length } = Buffer.from(reason);
  if (length <= MAX_CLOSE_REASON_BYTES) return undefined;
  return `the reason must have ${MAX_CLOSE_REASON_BYTES} bytes at most, not ${length}`;
}

/** True for a status code that a close frame may carry (RFC 6455, section 7.4). */
export function isCloseCode(code: number): boolean {
  const isOfProtocol = code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code);
  return Number.isInteger(code) && (isOfProtocol || (code >= 3000 && code <= 4999));
}
