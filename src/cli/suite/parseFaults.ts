import { InvalidArgumentError, reasonOf, refuseIf } from '../../base/errors.ts';
import { fromWire } from '../../protocol/wireNames.ts';
import { type FaultCarrier, faultKinds } from '../../replay/play/faults/faultKinds.ts';
import { checkFaults, FAULT_SCHEMAS, type FaultSchedule } from '../../replay/play/faults/faultSchedule.ts';

/** Parses the faults of a command line, each as `[NUMBER:]KIND[,NAME=VALUE…]`. @throws UsageError */
export function parseFaults(texts: readonly string[] = [], carrier?: FaultCarrier): FaultSchedule {
  return texts.reduce<FaultSchedule>((schedule, text) => withFault(schedule, text, carrier), []);
}

/** Adds a fault to those of its connection. */
function withFault(schedule: FaultSchedule, text: string, carrier?: FaultCarrier): FaultSchedule {
  const [, number = '1', name = '', rest = ''] =
    /^(?:([1-9]\d{0,2}):)?([a-z-]+)((?:,[a-z_]+=[^,]+)*)$/i.exec(text) ?? [];
  const kind = faultKinds().find(each => each === name);
  refuseIf(!kind, `--fault '${text}' must be [NUMBER:]KIND[,NAME=VALUE…], such as cut,after_seconds=5.`);
  const fields = rest
    .split(',')
    .slice(1)
    .map(field => field.split('=') as [string, string]);
  const known = Object.keys(FAULT_SCHEMAS[kind!].properties).filter(name => name !== 'kind');
  const unknown = fields.find(([name]) => !known.includes(name))?.[0];
  const names = known.join(', ');
  refuseIf(unknown, `--fault '${text}' is not possible: '${unknown}' is not known (known: ${names}).`);
  const values = fields.map(([name, value]) => [name, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value]);
  const fault = fromWire(FAULT_SCHEMAS[kind!], { kind, ...Object.fromEntries(values) });
  const index = Number(number) - 1;
  const length = Math.max(schedule.length, index + 1);
  const longer = Array.from({ length }, (_, at) => schedule[at] ?? []);
  try {
    return checkFaults(longer.with(index, [...(schedule[index] ?? []), fault]), carrier);
  } catch (cause) {
    throw new InvalidArgumentError(`--fault '${text}' is not possible: ${reasonOf(cause)}`, { cause });
  }
}
