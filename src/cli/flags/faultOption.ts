import { InvalidArgumentError } from 'commander';
import { reasonOf } from '../../base/errors.ts';
import { fromWire } from '../../protocol/wireNames.ts';
import { checkFaults, FAULT_SCHEMAS, type FaultSchedule } from '../../replay/play/faults/faultSchedule.ts';

/** The option of commands that let connections fail. */
export const FAULT = {
  help: `let a connection fail, the first one or that of a number; may be repeated: [NUMBER:]KIND[,NAME=VALUE…], such as cut,after_seconds=5 or 2:http-status,status=503 (kinds: ${Object.keys(FAULT_SCHEMAS).join(', ')})`,
  parse: (text: string, previous: FaultSchedule = []) => withFault(previous, text),
};

/** Connections that may have faults. */
const MAX_CONNECTIONS = 1000;

/** Adds a fault, as `[NUMBER:]KIND[,NAME=VALUE…]`, to those of its connection. */
function withFault(schedule: FaultSchedule, text: string): FaultSchedule {
  const [, number = '1', kind = '', rest = ''] =
    /^(?:(\d{1,4}):)?([a-z-]+)((?:,[a-z_]+=[^,]+)*)$/.exec(text) ?? [];
  const index = Number(number) - 1;
  if (!Object.hasOwn(FAULT_SCHEMAS, kind) || index < 0 || index >= MAX_CONNECTIONS)
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
    );
  } catch (error) {
    throw new InvalidArgumentError(`is not possible: ${reasonOf(error)}`);
  }
}
