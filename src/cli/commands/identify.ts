import { Command } from 'commander';
import { addResultOptions } from '../flags/resultOptions.ts';
import { addServiceOptions, checkServiceFlags } from '../flags/serviceOptions.ts';
import { addKeepingOptions, checkIsKept } from '../flags/speechOptions.ts';
import type { IdentifyFlags } from './identifyRun.ts';

/** `rxscribe identify`: which language is spoken. */
export function identifyCommand(): Command {
  const command = new Command('identify')
    .description('tell which language is spoken in a recording')
    .argument('<media>', 'audio or video file, address of one, or - for standard input')
    .action(async (media: string, flags: IdentifyFlags) => {
      checkServiceFlags(flags, 'identify');
      checkIsKept(flags, 'identify');
      const { runIdentify } = await import('./identifyRun.ts');
      await runIdentify(media, flags);
    });
  return addKeepingOptions(addServiceOptions(addResultOptions(command)), 'job');
}
