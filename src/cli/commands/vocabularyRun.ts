import type { VocabularyRecord } from '../../client/jobs/jobTypes.ts';
import { VocabularySchema } from '../../protocol/jobs.ts';
import { MAX_UNUSABLE_PHRASES } from '../../protocol/limits.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { readVocabularyFile } from '../files/vocabularyFile.ts';
import type { ListFlags } from '../flags/listOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { takeList } from '../flags/takeList.ts';
import { type Column, printRecords } from '../print/records.ts';
import { submitAndWait } from '../service/submission.ts';
import { useService } from '../service/useService.ts';

export interface VocabularyFlags extends ServiceFlags {
  readonly json?: boolean;
}

export interface VocabularySubmitFlags extends VocabularyFlags {
  readonly metadata?: string;
  readonly notify?: string;
}

const COLUMNS: readonly Column<VocabularyRecord>[] = [
  ['id', vocabulary => vocabulary.id],
  ['status', vocabulary => vocabulary.status],
  ['created', vocabulary => vocabulary.createdOn],
  ['unusable', ({ unusablePhrases = [] }) => atLeast(unusablePhrases.length)],
  ['metadata', vocabulary => vocabulary.metadata],
];

/** The service names a limited number of phrases; of the others only the count is known. */
function atLeast(count: number): string {
  return `${count}${count >= MAX_UNUSABLE_PHRASES ? '+' : ''}`;
}

function printVocabularies(vocabularies: readonly VocabularyRecord[], json: boolean | undefined): void {
  printRecords(vocabularies, COLUMNS, { json, encode: record => toWire(VocabularySchema, record) });
}

/** Submits phrases and waits until they can be used; those that cannot be are told on stderr. */
export async function runVocabularySubmit(file: string, flags: VocabularySubmitFlags): Promise<void> {
  const { metadata, notify, json } = flags;
  const phrases = await readVocabularyFile(file);
  await useService(flags, async use => {
    const { vocabularies } = use.client;
    const complete = await submitAndWait<VocabularyRecord>(use, {
      what: 'waiting for the vocabulary',
      submit: () =>
        vocabularies.submit(phrases, {
          metadata,
          notification: notify === undefined ? undefined : { url: notify },
        }),
      waitFor: vocabularies.waitFor,
    });
    for (const { phrase, reason } of complete.unusablePhrases ?? []) {
      use.progress.note(`cannot be used: ${phrase}: ${reason}`);
    }
    use.progress.hide();
    printVocabularies([complete], json);
  });
}

export async function runVocabularyList(flags: VocabularyFlags & ListFlags): Promise<void> {
  await useService(flags, async ({ client }) => {
    printVocabularies(await takeList(client.vocabularies, flags), flags.json);
  });
}

export async function runVocabularyGet(id: string, flags: VocabularyFlags): Promise<void> {
  await useService(flags, async ({ client }) => {
    printVocabularies([await client.vocabularies.get(id)], flags.json);
  });
}

/** Deletes one after the other, up to the first that cannot be deleted. */
export async function runVocabularyDelete(ids: readonly string[], flags: VocabularyFlags): Promise<void> {
  await useService(flags, async ({ client }) => {
    for (const id of ids) await client.vocabularies.delete(id);
  });
}
