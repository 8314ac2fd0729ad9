import { Argument, type Command, Option } from 'commander';
import { type AdminOptions, administered } from '../flags/adminOptions.ts';
import { integerFrom } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { ClaimOptions } from './humanJobsRun.ts';

/** The commands of `rxscribe job` for those who finish what machines began. */
export function humanJobCommands(): readonly Command[] {
  return [waitingCommand(), claimCommand(), finishCommand()];
}

function waitingCommand(): Command {
  return administered('waiting', 'show the jobs that wait for a person, of all accounts').action(
    async (options: AdminOptions) => {
      const { listWaiting } = await import('./humanJobsRun.ts');
      await listWaiting(options);
    },
  );
}

function claimCommand(): Command {
  return administered('claim', 'take a job that waits, so that nobody else does')
    .argument('<id>')
    .optionsGroup(GROUP.job)
    .requiredOption('--worker <name>', 'who takes it')
    .addOption(
      new Option('--seconds <number>', 'for how long').default(3600).argParser(integerFrom(1, 7 * 24 * 3600)),
    )
    .option('--release', 'give it back instead')
    .action(async (id: string, options: ClaimOptions) => {
      const { claimJob } = await import('./humanJobsRun.ts');
      await claimJob(id, options);
    });
}

function finishCommand(): Command {
  return administered('finish', 'end a job that waits for a person')
    .argument('<id>')
    .addArgument(new Argument('<file>', 'its transcript, as JSON or as text; - for standard input'))
    .addHelpText(
      'after',
      notes(
        'Text: a line may begin with "Speaker 1:" or a name that the job gave; others go on the turn before. Times are found.',
      ),
    )
    .action(async (id: string, file: string, options: AdminOptions) => {
      const { finishJob } = await import('./humanJobsRun.ts');
      await finishJob(id, file, options);
    });
}
