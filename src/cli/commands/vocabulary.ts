import type { Command } from 'commander';
import type { VocabularyRecord } from '../../client/jobs/jobTypes.ts';
import { MAX_UNUSABLE_PHRASES } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES, RECORD_EXIT_CODES } from '../exitCodes.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addListOptions, type ListFlags, takeList } from '../flags/listOptions.ts';
import { addServiceOptions, requireUrl, type ServiceFlags } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { type Column, printRecords } from '../print/table.ts';
import { useNamedService } from '../service/useNamedService.ts';

interface VocabularyFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** Creates `rxscribe vocabulary`, which manages the phrases that a service favours. */
export function vocabularyCommand(context: Context): Command {
  return new ContextCommand('vocabulary', context)
    .description('submit, show and delete phrases that a service favours')
    .addCommand(submitCommand(context))
    .addCommand(listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(deleteCommand(context));
}

interface SubmitFlags extends VocabularyFlags {
  readonly metadata?: string;
  readonly notify?: string;
}

function submitCommand(context: Context): Command {
  const command = new ContextCommand('submit', context)
    .description('submit phrases, and print the vocabulary when it is complete')
    .argument('<file>', 'phrases: one a line, or .json')
    .option('--metadata <text>', 'free text to store with the vocabulary')
    .option('--notify <url>', 'address to notify when it is complete')
    .option('--json', 'print JSON also in a terminal')
    .addHelpText('after', notes(JOB_EXIT_CODES))
    .action((file: string, flags: SubmitFlags) => submit(context, file, flags));
  return addServiceOptions(command, { needsUrl: true });
}

/** Submits phrases, waits until they can be used, and notes those that cannot be. */
async function submit(context: Context, file: string, flags: SubmitFlags): Promise<void> {
  requireUrl(flags);
  const { metadata, notify } = flags;
  const [{ readVocabularyFile }, { submitAndWait }] = await Promise.all([
    import('../files/textFile.ts'),
    import('../service/submission.ts'),
  ]);
  const phrases = await readVocabularyFile(file);
  await useNamedService(context, flags, async use => {
    const { vocabularies } = use.client;
    const complete = await submitAndWait<VocabularyRecord>(use, {
      task: 'waiting for the vocabulary',
      submit: () =>
        vocabularies.submit(phrases, {
          metadata,
          notification: notify === undefined ? undefined : { url: notify },
        }),
      waitFor: vocabularies.waitFor,
    });
    for (const { phrase, reason } of complete.unusablePhrases ?? []) {
      use.progress.note(`Cannot use the phrase '${phrase}': ${reason}.`);
    }
    use.progress.hide();
    await printVocabularies(context, [complete], flags);
  });
}

function listCommand(context: Context): Command {
  const command = new ContextCommand('list', context)
    .description('print vocabularies, newest first; as JSON lines unless the output is a terminal')
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (flags: VocabularyFlags & ListFlags) => {
      await useNamedService(context, flags, async ({ client }) => {
        await printVocabularies(context, await takeList(client.vocabularies, flags), flags);
      });
    });
  return addServiceOptions(addListOptions(command), { needsUrl: true });
}

function getCommand(context: Context): Command {
  const command = new ContextCommand('get', context)
    .description('print one vocabulary')
    .argument('<id>', 'id of the vocabulary')
    .option('--json', 'print JSON also in a terminal')
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (id: string, flags: VocabularyFlags) => {
      await useNamedService(context, flags, async ({ client }) => {
        await printVocabularies(context, [await client.vocabularies.get(id)], flags);
      });
    });
  return addServiceOptions(command, { needsUrl: true });
}

function deleteCommand(context: Context): Command {
  const command = new ContextCommand('delete', context)
    .description('delete vocabularies')
    .argument('<id...>', 'ids of the vocabularies')
    .addHelpText('after', notes(RECORD_EXIT_CODES))
    .action(async (ids: readonly string[], flags: VocabularyFlags) => {
      await useNamedService(context, flags, async ({ client }) => {
        // One after the other, up to the first that cannot be deleted.
        for (const id of ids) await client.vocabularies.delete(id);
      });
    });
  return addServiceOptions(command, { needsUrl: true });
}

const COLUMNS: readonly Column<VocabularyRecord>[] = [
  ['id', vocabulary => vocabulary.id],
  ['status', vocabulary => vocabulary.status],
  ['created', vocabulary => vocabulary.createdOn],
  ['unusable', ({ unusablePhrases = [] }) => countText(unusablePhrases.length)],
  ['metadata', vocabulary => vocabulary.metadata],
];

/** Returns a count, with `+` where the service has left out further phrases. */
function countText(count: number): string {
  return `${count}${count >= MAX_UNUSABLE_PHRASES ? '+' : ''}`;
}

async function printVocabularies(
  { stdout }: Context,
  vocabularies: readonly VocabularyRecord[],
  { json }: VocabularyFlags,
): Promise<void> {
  const [{ VocabularySchema }, { toWire }] = await Promise.all([
    import('../../protocol/jobs.ts'),
    import('../../protocol/wireNames.ts'),
  ]);
  const encode = (record: VocabularyRecord) => toWire(VocabularySchema, record);
  printRecords(stdout, vocabularies, COLUMNS, { json, encode });
}
