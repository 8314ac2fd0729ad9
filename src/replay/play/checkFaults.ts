import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MAX_CLOSE_REASON_BYTES } from '../../protocol/closeCodes.ts';
import { fromWire, toWire } from '../../protocol/wireNames.ts';
import { isCloseCode } from './connectionFaults.ts';
import type { FaultSchedule, PlannedPlayFault } from './faultSchedule.ts';
import { FAULT_SCHEMAS } from './faultSchema.ts';

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
