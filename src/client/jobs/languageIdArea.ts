import { LANGUAGE_ID_PREFIX } from '../../protocol/interfaceNames.ts';
import { LanguageIdResultSchema } from '../../protocol/results.ts';
import { type LanguageIdSubmission, LanguageIdSubmissionSchema } from '../../protocol/submissions.ts';
import { type Camel, toWire } from '../../protocol/wireNames.ts';
import type { CallOptions } from './clientOptions.ts';
import { type DeletableJobs, type JobArea, pathOfJob, versionedArea } from './jobArea.ts';
import type { Job, LanguageIdResult } from './jobTypes.ts';
import type { MediaSource } from './mediaSource.ts';
import type { ServiceCalls } from './serviceCalls.ts';
import { type AddressFields, mediaSubmission, type UploadOptions } from './submissionFields.ts';

export interface LanguageIdOptions extends UploadOptions, Omit<Camel<LanguageIdSubmission>, AddressFields> {}

/** Identification of the spoken language. */
export interface LanguageIdArea extends JobArea<Job>, DeletableJobs {
  submit(source: MediaSource, options?: LanguageIdOptions): Promise<Job>;
  /** Returns the languages with their confidences, most probable first. @throws InvalidJobStateError, NotFoundError */
  result(id: string, options?: CallOptions): Promise<LanguageIdResult>;
}

const PATH = `${LANGUAGE_ID_PREFIX}/jobs`;

export function languageIdArea(calls: ServiceCalls): LanguageIdArea {
  const { jobs, deletable, submit } = versionedArea(calls, {
    path: PATH,
    doneStatus: 'completed',
  });
  return {
    ...jobs,
    ...deletable,
    async submit(source, options = {}) {
      const { fields, sending } = mediaSubmission(source, options);
      return submit(toWire(LanguageIdSubmissionSchema, fields), sending);
    },
    async result(id, options) {
      return calls.value(LanguageIdResultSchema, {
        ...options,
        action: `get result of ${id}`,
        method: 'GET',
        path: pathOfJob(PATH, id, '/result'),
        accept: '*/*',
      });
    },
  };
}
