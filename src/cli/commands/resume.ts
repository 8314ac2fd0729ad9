import { Command } from 'commander';
import { addOutOptions } from '../flags/outOptions.ts';
import { addServiceOptions } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { ResumeFlags } from '../live/resumeRun.ts';

/** `rxscribe resume`: finishes what a process that was killed left in a spool. */
export function resumeCommand(): Command {
  const command = new Command('resume')
    .description('finish a transcript from the spool that a killed process left, and delete the spool')
    .argument('<spool>', 'file that caption --spool wrote')
    .optionsGroup(GROUP.input)
    .option('--spool-key-file <file>', 'file with the key that the spool is encrypted with')
    .addHelpText('after', notes(EXIT_CODES))
    .action(async (path: string, flags: Omit<ResumeFlags, 'environment'>) => {
      const { runResume } = await import('../live/resumeRun.ts');
      await runResume(path, { ...flags, ...chosenService(command) });
    });
  addOutOptions(command).option('--json', 'print one JSON object a line');
  return addServiceOptions(command, { otherwise: 'that of the spool' });
}

/** The environment does not choose another service than that of the spool. */
function chosenService(command: Command): Pick<ResumeFlags, 'url' | 'environment'> {
  const isOfEnvironment = (name: string) => command.getOptionValueSource(name) === 'env';
  return {
    url: isOfEnvironment('url') ? undefined : command.getOptionValue('url'),
    environment: { url: process.env.RXSCRIBE_URL, hasToken: isOfEnvironment('token') },
  };
}

const EXIT_CODES = `
RXSCRIBE_URL does not choose the service; RXSCRIBE_TOKEN goes to that of --url or RXSCRIBE_URL only.

Exit codes: 0 done, 2 wrong usage, 3 a part of the audio cannot be used, 4 service unreachable or gave up,
5 refused (token, credit, or the spool is in use), 130 interrupted. Unless it is done, the spool stays.`;
