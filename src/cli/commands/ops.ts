import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { adminCommand } from '../flags/adminOptions.ts';
import { integerFrom } from '../flags/optionValues.ts';
import { GROUP } from '../help/groups.ts';
import type { OpsFlags } from '../service/watchService.ts';

const DEFAULT_EVERY = 2;

/** Creates `rxscribe ops`, which shows the state of a service to its operator. */
export function opsCommand(context: Context): Command {
  return adminCommand(
    'ops',
    'show streams, queues, delays and processes of a running service, until q is pressed',
    context,
  )
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--every <seconds>', 'time between two looks, 1 to 3600')
        .default(DEFAULT_EVERY)
        .argParser(integerFrom(1, 3600)),
    )
    .option('--once', 'look once')
    .action(async (flags: OpsFlags) => {
      const { watchService } = await import('../service/watchService.ts');
      await watchService(context, flags);
    });
}
