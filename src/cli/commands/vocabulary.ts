import type { VocabularyRecord } from '../../client/jobs/jobTypes.ts';
import { MAX_UNUSABLE_PHRASES } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES, RECORD_EXIT_CODES } from '../exitCodes.ts';
import { defineCommand, defineCommands } from '../flags/defineCommand.ts';
import { LIST_OPTIONS, takeList } from '../flags/listOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { JSON_OPTION } from '../flags/resultOptions.ts';
import { NAMED_SERVICE_OPTIONS } from '../flags/serviceOptions.ts';
import { type Column, printRecords } from '../print/table.ts';
import { useService } from '../service/useService.ts';

const submitCommand = defineCommand({
  name: 'submit',
  description: 'submit phrases, and print the vocabulary when it is complete',
  examples: ["rxscribe vocabulary submit names.txt --metadata 'names of the guests'"],
  arguments: [['<file>', 'phrases: one a line, or .json']],
  options: [
    optionGroup('Vocabulary', {
      '--metadata <text>': 'free text to store with the vocabulary',
      '--notify <url>': 'address to notify when it is complete',
    }),
    JSON_OPTION,
    NAMED_SERVICE_OPTIONS,
  ],
  exitCodes: JOB_EXIT_CODES,
  async run({ args: [file], flags, context }) {
    const { metadata, notify } = flags;
    const [{ readVocabularyFile }, { submitAndWait }] = await Promise.all([
      import('../files/phraseFiles.ts'),
      import('../service/submission.ts'),
    ]);
    const phrases = await readVocabularyFile(file);
    const notification = notify === undefined ? undefined : { url: notify };
    await useService(context, flags, async use => {
      const { vocabularies } = use.client;
      const complete = await submitAndWait<VocabularyRecord>(use, {
        task: 'waiting for the vocabulary',
        submit: () => vocabularies.submit(phrases, { metadata, notification }),
        waitFor: vocabularies.waitFor,
      });
      use.progress.hide();
      await printVocabularies(context, [complete], flags);
    });
  },
});

const listCommand = defineCommand({
  name: 'list',
  description: 'print vocabularies, newest first; as JSON lines unless the output is a terminal',
  examples: ['rxscribe vocabulary list --all'],
  options: [LIST_OPTIONS, NAMED_SERVICE_OPTIONS],
  exitCodes: RECORD_EXIT_CODES,
  run: ({ flags, context }) =>
    useService(context, flags, async ({ client }) => {
      await printVocabularies(context, await takeList(client.vocabularies, flags), flags);
    }),
});

const getCommand = defineCommand({
  name: 'get',
  description: 'print one vocabulary',
  examples: ['rxscribe vocabulary get cvHb3kT0cVt9Qx'],
  arguments: [['<id>', 'id of the vocabulary']],
  options: [JSON_OPTION, NAMED_SERVICE_OPTIONS],
  exitCodes: RECORD_EXIT_CODES,
  run: ({ args: [id], flags, context }) =>
    useService(context, flags, async ({ client }) => {
      await printVocabularies(context, [await client.vocabularies.get(id)], flags);
    }),
});

const deleteCommand = defineCommand({
  name: 'delete',
  description: 'delete vocabularies',
  examples: ['rxscribe vocabulary delete cvHb3kT0cVt9Qx'],
  arguments: [['<id...>', 'ids of the vocabularies']],
  options: [NAMED_SERVICE_OPTIONS],
  exitCodes: RECORD_EXIT_CODES,
  run: ({ args: [ids], flags, context }) =>
    useService(context, flags, async ({ client }) => {
      // One after the other, up to the first that cannot be deleted.
      for (const id of ids) await client.vocabularies.delete(id);
    }),
});

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
  { stdout }: Pick<Context, 'stdout'>,
  vocabularies: readonly VocabularyRecord[],
  { json }: { readonly json?: boolean },
): Promise<void> {
  const [{ VocabularySchema }, { toWire }] = await Promise.all([
    import('../../protocol/jobs.ts'),
    import('../../protocol/wireNames.ts'),
  ]);
  const encode = (record: VocabularyRecord) => toWire(VocabularySchema, record);
  printRecords(stdout, vocabularies, COLUMNS, { json, encode });
}

/** `rxscribe vocabulary`, which manages the phrases that a service favours. */
export const vocabularyCommand = defineCommands({
  name: 'vocabulary',
  description: 'submit, show and delete phrases that a service favours',
  examples: ['rxscribe vocabulary submit names.txt'],
  commands: [submitCommand, listCommand, getCommand, deleteCommand],
});
