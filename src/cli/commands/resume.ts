import { defineCommand } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { OUT_OPTIONS } from '../flags/outOptions.ts';
import { serviceOptions } from '../flags/serviceOptions.ts';

/** `rxscribe resume`, which finishes a transcript from the spool of a killed process. */
export const resumeCommand = defineCommand({
  name: 'resume',
  description: 'finish a transcript from the spool of a killed process, and delete the spool',
  examples: ['rxscribe resume talk.spool --out talk.srt', 'rxscribe resume talk.spool --human'],
  arguments: [['<spool>', 'directory of caption --spool']],
  options: [
    optionGroup('People', {
      '--human': 'have people transcribe the missing parts, which may take a day',
    }),
    OUT_OPTIONS,
    optionGroup('Output', { '--json': 'print one JSON object a line' }),
    ...serviceOptions({ otherwise: 'that of the spool' }),
  ],
  notes: `
With --human, the missing parts are jobs for people, and a waiting one is never submitted twice: after Ctrl-C the same command goes on
waiting for it. The service keeps these jobs for up to 7 days after their end. A spool has only the audio without a final
result. To have people transcribe a whole session, record it with 'rxscribe caption --record' or 'rxscribe record', then run
'rxscribe transcribe <cassette> --human'.

RXSCRIBE_URL does not choose the service. RXSCRIBE_TOKEN is only sent to the service of --url or RXSCRIBE_URL.`,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 audio cannot be used, 4 service unreachable or failed, 5 refused (token, credit, or
the spool is in use), 130 interrupted. Unless the code is 0, the spool is kept.`,
  async run({ args: [path], flags, context, command }) {
    const { runResume } = await import('../live/resumeRun.ts');
    const isOfEnvironment = (name: string) => command.getOptionValueSource(name) === 'env';
    await runResume(context, path, {
      ...flags,
      // The service of the environment does not replace the one of the spool.
      url: isOfEnvironment('url') ? undefined : flags.url,
      environment: { url: context.env.RXSCRIBE_URL, hasToken: isOfEnvironment('token') },
    });
  },
});
