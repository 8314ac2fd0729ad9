import { type VocabularyRecord, VocabularySchema } from '../../protocol/jobs.ts';
import { VocabularySubmissionSchema } from '../../protocol/submissions.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { VOCABULARY_TYPE } from '../vocabularies.ts';
import { notificationRule } from './addressRules.ts';
import type { Area } from './area.ts';
import { commonView, unusablePhrases } from './jobView.ts';
import { submissionKind } from './submission.ts';
import { phrasesOf, phrasesRule } from './vocabularyRules.ts';

/** Custom vocabularies: phrases that jobs and streams use by their id. */
export const vocabularies: Area = {
  name: 'vocabularies',
  title: 'Custom vocabularies',
  noun: { one: 'vocabulary', many: 'vocabularies' },
  types: [VOCABULARY_TYPE],
  doneStatus: 'complete',
  idPrefix: 'cv',
  submission: submissionKind({
    schema: VocabularySubmissionSchema,
    example: { custom_vocabularies: [{ phrases: ['Ada Lovelace', 'analytical engine'] }] },
    rules: [notificationRule, phrasesRule],
    takesMedia: false,
    isFree: true,
    toJob: submission => ({
      type: VOCABULARY_TYPE,
      isPermanent: true,
      input: { phrases: phrasesOf(submission.custom_vocabularies) },
    }),
  }),
  viewSchema: VocabularySchema,
  view: vocabularyView,
  results: [],
  notFound: 'vocabularyNotFound',
};

function vocabularyView(record: JobRecord, status: string): VocabularyRecord {
  return { ...record.options, ...commonView(record, status), ...unusablePhrases(record) };
}
