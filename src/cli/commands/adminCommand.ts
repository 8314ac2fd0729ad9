import { LIST_LIMIT } from '../../protocol/limits.ts';
import { ADMIN_EXIT_CODES, ADMIN_OPTIONS, type AdminFlags } from '../flags/adminOptions.ts';
import {
  type ArgumentPlan,
  type ArgumentsOf,
  type CommandFactory,
  type CommandPlan,
  defineCommand,
  type Invocation,
} from '../flags/defineCommand.ts';
import type { FlagsOf, OptionGroup } from '../flags/optionGroup.ts';
import { type Column, printRecords } from '../print/table.ts';
import type { AdminCall } from '../service/adminCall.ts';

/** A command of an operator: one call of the administration interface of a service. */
interface AdminCommandPlan<
  Arguments extends readonly ArgumentPlan[],
  Groups extends readonly OptionGroup<never>[],
  Row,
> extends Omit<CommandPlan<Arguments, Groups>, 'run' | 'exitCodes'> {
  /** Default {@link ADMIN_EXIT_CODES}. */
  readonly exitCodes?: string;
  call(invocation: Invocation<ArgumentsOf<Arguments>, FlagsOf<Groups>>): AdminCall | Promise<AdminCall>;
  /** Columns for the record or the records of the answer, also by the flags. Default: nothing is printed. */
  readonly columns?: readonly Column<Row>[] | ((flags: FlagsOf<Groups>) => readonly Column<Row>[]);
  /** Names the records of a list that the service limits to {@link LIST_LIMIT}, such as `latest events`. */
  readonly limited?: readonly [part: 'first' | 'latest', records: string];
}

/** Declares a command that makes one call of the administration interface, and prints the answer. */
export function adminCommand<
  const Arguments extends readonly ArgumentPlan[] = [],
  const Groups extends readonly OptionGroup<never>[] = [],
  Row = never,
>(plan: AdminCommandPlan<Arguments, Groups, Row>): CommandFactory {
  const { options = [], exitCodes = ADMIN_EXIT_CODES, call, columns, limited, ...texts } = plan;
  return defineCommand<Arguments, readonly OptionGroup<never>[]>({
    ...texts,
    options: [...ADMIN_OPTIONS, ...options],
    exitCodes,
    async run(invocation) {
      const { adminCall } = await import('../service/adminCall.ts');
      const flags = invocation.flags as AdminFlags & FlagsOf<Groups>;
      const { stdout, stderr } = invocation.context;
      const answer = await adminCall<Row | readonly Row[] | undefined>(
        flags,
        await call({ ...invocation, flags }),
      );
      if (!columns || answer === undefined) return;
      const rows = [answer].flat() as readonly Row[];
      printRecords(stdout, rows, typeof columns === 'function' ? columns(flags) : columns, flags);
      if (!limited || rows.length < LIST_LIMIT.max) return;
      const [part, records] = limited;
      stderr.write(`Only the ${part} ${LIST_LIMIT.max} ${records} are listed.\n`);
    },
  });
}
