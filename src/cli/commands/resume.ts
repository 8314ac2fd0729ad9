import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addOutOptions } from '../flags/outOptions.ts';
import { addServiceOptions } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { ResumeFlags } from '../live/resumeRun.ts';

/** Creates `rxscribe resume`, which finishes a transcript from the spool of a killed process. */
export function resumeCommand(context: Context): Command {
  const command = new ContextCommand('resume', context)
    .description('finish a transcript from the spool of a killed process, and delete the spool')
    .argument('<spool>', 'file of caption --spool')
    .optionsGroup(GROUP.input)
    .option('--spool-key-file <file>', 'file with the key that encrypts the spool')
    .addHelpText('after', notes(NOTES))
    .action(async (path: string, flags: Omit<ResumeFlags, 'environment'>) => {
      const { runResume } = await import('../live/resumeRun.ts');
      await runResume(context, path, { ...flags, ...chosenService(command, context) });
    });
  command
    .optionsGroup(GROUP.people)
    .option('--human', 'have people transcribe the missing parts, which may take a day');
  addOutOptions(command).option('--json', 'print one JSON object a line');
  return addServiceOptions(command, { otherwise: 'that of the spool' });
}

/** Returns the service of the flags: that of the environment does not replace the one of the spool. */
function chosenService(command: Command, { env }: Context): Pick<ResumeFlags, 'url' | 'environment'> {
  const isOfEnvironment = (name: string) => command.getOptionValueSource(name) === 'env';
  return {
    url: isOfEnvironment('url') ? undefined : command.getOptionValue('url'),
    environment: { url: env.RXSCRIBE_URL, hasToken: isOfEnvironment('token') },
  };
}

const NOTES = `
With --human, the missing parts are jobs for people, and a waiting one is never submitted twice: after Ctrl-C the same command goes on
waiting for it. The service keeps these jobs for up to 7 days after their end. A spool has only the audio without a final
result. To have people transcribe a whole session, record it with 'rxscribe caption --record' or 'rxscribe record', then run
'rxscribe transcribe <cassette> --human'.

RXSCRIBE_URL does not choose the service. RXSCRIBE_TOKEN is only sent to the service of --url or RXSCRIBE_URL.

Exit codes: 0 done, 2 wrong usage, 3 audio cannot be used, 4 service unreachable or failed, 5 refused (token, credit, or
the spool is in use), 130 interrupted. Unless the code is 0, the spool is kept.`;
