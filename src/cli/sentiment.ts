import { Command, Option } from 'commander';
import { GROUP } from './help/groups.ts';
import { languageOption } from './optionValues.ts';
import { addResultOptions } from './resultOptions.ts';
import type { SentimentFlags } from './sentimentRun.ts';
import { addServiceOptions, checkServiceFlags } from './serviceOptions.ts';
import { addKeepingOptions, checkIsKept } from './speechOptions.ts';

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
