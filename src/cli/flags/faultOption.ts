import { InvalidArgumentError } from 'commander';
import { reasonOf } from '../../base/errors.ts';
import { fromWire } from '../../protocol/wireNames.ts';
import {
  checkFaults,
  FAULT_SCHEMAS,
  type FaultCarrier,
  type FaultSchedule,
  faultKinds,
} from '../../replay/play/faults/faultSchedule.ts';
import { integerFrom } from './optionValues.ts';

/** Returns the option of a command that lets connections fail. Without a carrier, a later check refuses some kinds. */
export const faultOption = (carrier?: FaultCarrier) => ({
  help: `let a connection fail, the first one or that of a number; may be repeated: [NUMBER:]KIND[,NAME=VALUE…], such as cut,after_seconds=5 or 2:http-status,status=503 (kinds: ${faultKinds(carrier).join(', ')})`,
  parse: (text: string, previous: FaultSchedule = []) => withFault(previous, text, carrier),
});

/** The option of what is random. */
export const SEED = {
  help: 'number that determines what is random',
  parse: integerFrom(0, 2 ** 32 - 1),
  default: 1,
};

/** Adds a fault, as `[NUMBER:]KIND[,NAME=VALUE…]`, to those of its connection. */
function withFault(schedule: FaultSchedule, text: string, carrier?: FaultCarrier): FaultSchedule {
  const [, number = '1', kind = '', rest = ''] =
    /^(?:([1-9]\d{0,2}):)?([a-z-]+)((?:,[a-z_]+=[^,]+)*)$/.exec(text) ?? [];
  const index = Number(number) - 1;
  if (!Object.hasOwn(FAULT_SCHEMAS, kind))
    throw new InvalidArgumentError('must be [NUMBER:]KIND[,NAME=VALUE…], such as cut,after_seconds=5');
  const fields = rest
    .split(',')
    .slice(1)
    .map(field => field.split('=') as [string, string]);
  const values = fields.map(([name, value]) => [name, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value]);
  const schema = FAULT_SCHEMAS[kind as keyof typeof FAULT_SCHEMAS];
  const fault = fromWire(schema, { kind, ...Object.fromEntries(values) });
  const length = Math.max(schedule.length, index + 1);
  try {
    return checkFaults(
      Array.from({ length }, (_, at) => [...(schedule[at] ?? []), ...(at === index ? [fault] : [])]),
      carrier,
    );
  } catch (error) {
    throw new InvalidArgumentError(`is not possible: ${reasonOf(error)}`);
  }
}
