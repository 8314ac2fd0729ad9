import { Command, Option } from 'commander';
import { languageOption } from '../flags/optionValues.ts';
import { addResultOptions } from '../flags/resultOptions.ts';
import { addServiceOptions, checkServiceFlags } from '../flags/serviceOptions.ts';
import { addKeepingOptions, checkIsKept } from '../flags/speechOptions.ts';
import { GROUP } from '../help/groups.ts';
import type { SentimentFlags } from './sentimentRun.ts';

/** `rxscribe sentiment`: how what was said is meant. */
export function sentimentCommand(): Command {
  const command = new Command('sentiment')
    .description('tell how the sentences of a text are meant')
    .optionsGroup(GROUP.input)
    .requiredOption(
      '--text <text|file>',
      'a text, a file of text, a transcript as .json, or - for standard input',
    )
    .addOption(languageOption('language of the text').default('en'))
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--filter-for <sentiment>', 'print only those').choices(['positive', 'neutral', 'negative']),
    )
    .action(async (flags: SentimentFlags) => {
      checkServiceFlags(flags, 'sentiment');
      checkIsKept(flags, 'sentiment');
      const { runSentiment } = await import('./sentimentRun.ts');
      await runSentiment(flags);
    });
  return addKeepingOptions(addServiceOptions(addResultOptions(command), { recognizes: false }), 'job');
}
