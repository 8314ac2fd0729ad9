import { Type } from 'typebox';
import { VOCABULARIES_PATH } from '../../protocol/interfaceNames.ts';
import { VocabularySchema } from '../../protocol/jobs.ts';
import { VocabularySubmissionSchema } from '../../protocol/submissions.ts';
import type { Vocabulary } from '../../protocol/vocabularies.ts';
import { toWire } from '../../protocol/wireNames.ts';
import type { CallOptions } from './clientOptions.ts';
import { type DeletableJobs, type JobArea, jobArea } from './jobArea.ts';
import type { VocabularyRecord } from './jobTypes.ts';
import type { ServiceCalls } from './serviceCalls.ts';
import { type NotificationOption, notificationFields } from './submissionFields.ts';

export interface VocabularyOptions extends CallOptions, NotificationOption {
  /** Free text that is echoed in the vocabulary. */
  readonly metadata?: string;
}

/** Custom vocabularies for jobs and streams. */
export interface VocabulariesArea extends JobArea<VocabularyRecord>, DeletableJobs {
  /** Submits phrases. Once complete, pass the id as `customVocabularyId` of jobs and streams. */
  submit(
    vocabularies: readonly (Vocabulary | string)[],
    options?: VocabularyOptions,
  ): Promise<VocabularyRecord>;
}

export function vocabulariesArea(calls: ServiceCalls): VocabulariesArea {
  const { jobs, deletable, submit } = jobArea<VocabularyRecord>(calls, {
    path: VOCABULARIES_PATH,
    noun: 'vocabulary',
    doneStatus: 'complete',
    readOne: call => calls.value(VocabularySchema, call),
    readMany: call => calls.value(Type.Array(VocabularySchema), call),
  });
  return {
    ...jobs,
    ...deletable,
    async submit(vocabularies, { signal, notification, metadata } = {}) {
      const fields = {
        metadata,
        ...notificationFields({ notification }),
        customVocabularies: vocabularies,
      };
      return submit(toWire(VocabularySubmissionSchema, fields), { signal });
    },
  };
}
