import { Command } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { languageOption } from '../flags/optionValues.ts';
import { addResultOptions } from '../flags/resultOptions.ts';
import { addServiceOptions, checkServiceFlags } from '../flags/serviceOptions.ts';
import { addKeepingOptions, checkIsKept } from '../flags/speechOptions.ts';
import { GROUP } from '../help/groups.ts';
import type { AlignFlags } from './alignRun.ts';

/** `rxscribe align`: when the words of a known text are spoken. */
export function alignCommand(): Command {
  const command = new Command('align')
    .description('find out when the words of a text are spoken')
    .argument('<media>', 'audio or video file, address of one, or - for standard input')
    .optionsGroup(GROUP.input)
    .requiredOption('--text <file>', 'the words that are spoken: a text file, address of one, or -')
    .addOption(languageOption('language that is spoken').default('en'))
    .action(async (media: string, flags: AlignFlags) => {
      checkServiceFlags(flags, 'align');
      checkIsKept(flags, 'align');
      if (media === '-' && flags.text === '-') {
        throw new InvalidArgumentError('align: media and text cannot both be standard input');
      }
      const { runAlign } = await import('./alignRun.ts');
      await runAlign(media, flags);
    });
  return addKeepingOptions(addServiceOptions(addResultOptions(command)), 'job');
}
