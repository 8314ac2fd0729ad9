import { Command } from 'commander';
import { addListOptions, type ListFlags } from '../flags/listOptions.ts';
import { addServiceOptions, requireUrl } from '../flags/serviceOptions.ts';
import type { VocabularyFlags, VocabularySubmitFlags } from './vocabularyRun.ts';

/** `rxscribe vocabulary`: phrases that a service is to know. */
export function vocabularyCommand(): Command {
  return new Command('vocabulary')
    .description('give a service phrases to favour, look at them, and delete them')
    .addCommand(submitCommand())
    .addCommand(listCommand())
    .addCommand(getCommand())
    .addCommand(deleteCommand());
}

function submitCommand(): Command {
  const command = new Command('submit')
    .description('submit phrases, and print the vocabulary when it is complete')
    .argument('<file>', 'phrases: one a line, or .json')
    .option('--metadata <text>', 'free text to keep with the vocabulary')
    .option('--notify <url>', 'address to notify when it is complete')
    .option('--json', 'print JSON also in a terminal')
    .action(async (file: string, flags: VocabularySubmitFlags) => {
      requireUrl(flags, 'vocabulary submit');
      const { runVocabularySubmit } = await import('./vocabularyRun.ts');
      await runVocabularySubmit(file, flags);
    });
  return addServiceOptions(command, { needsUrl: true });
}

function listCommand(): Command {
  const command = new Command('list')
    .description('print vocabularies, newest first; JSON lines where the output is no terminal')
    .action(async (flags: VocabularyFlags & ListFlags) => {
      requireUrl(flags, 'vocabulary list');
      const { runVocabularyList } = await import('./vocabularyRun.ts');
      await runVocabularyList(flags);
    });
  return addServiceOptions(addListOptions(command), { needsUrl: true });
}

function getCommand(): Command {
  const command = new Command('get')
    .description('print one vocabulary')
    .argument('<id>')
    .option('--json', 'print JSON also in a terminal')
    .action(async (id: string, flags: VocabularyFlags) => {
      requireUrl(flags, 'vocabulary get');
      const { runVocabularyGet } = await import('./vocabularyRun.ts');
      await runVocabularyGet(id, flags);
    });
  return addServiceOptions(command, { needsUrl: true });
}

function deleteCommand(): Command {
  const command = new Command('delete')
    .description('delete vocabularies')
    .argument('<id...>')
    .action(async (ids: readonly string[], flags: VocabularyFlags) => {
      requireUrl(flags, 'vocabulary delete');
      const { runVocabularyDelete } = await import('./vocabularyRun.ts');
      await runVocabularyDelete(ids, flags);
    });
  return addServiceOptions(command, { needsUrl: true });
}
