import { Type } from 'typebox';
import { AccountSchema, LegacyJobSchema } from '../../protocol/jobs.ts';
import { type LegacySubmission, LegacySubmissionSchema } from '../../protocol/submissions.ts';
import { type Camel, toWire } from '../../protocol/wireNames.ts';
import type { CallOptions } from './clientOptions.ts';
import { type JobArea, jobArea } from './jobArea.ts';
import type { AccountBalance, LegacyJob } from './jobTypes.ts';
import type { Address, DataSource, FileSource } from './mediaSource.ts';
import type { UploadProgress } from './requestBody.ts';
import type { ServiceCalls } from './serviceCalls.ts';
import { uploadOf } from './submissionFields.ts';
import { type TextTranscripts, type Transcripts, textTranscripts, transcripts } from './transcripts.ts';

/** An address without authorization, which the legacy interface does not support. */
export type OpenAddress = Pick<Address, 'url'>;

export interface LegacyOptions
  extends CallOptions,
    Omit<Camel<LegacySubmission>, 'mediaUrl' | 'callbackUrl' | 'notificationConfig'> {
  /** Address to which the service posts a notification when the job has ended. */
  readonly notification?: OpenAddress;
  /** Called during the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** The older interface of speech-to-text, with slightly different fields and texts. */
export interface LegacyArea extends JobArea<LegacyJob>, Transcripts, TextTranscripts {
  submit(source: OpenAddress | FileSource | DataSource, options?: LegacyOptions): Promise<LegacyJob>;
  account(options?: CallOptions): Promise<AccountBalance>;
}

export function legacyArea(calls: ServiceCalls): LegacyArea {
  const prefix = calls.settings.names.legacyPrefix;
  const path = `${prefix}/jobs`;
  const { jobs, submit } = jobArea<LegacyJob>(calls, {
    path,
    noun: 'job',
    doneStatus: 'transcribed',
    readOne: call => calls.value(LegacyJobSchema, call),
    readMany: call => calls.value(Type.Array(LegacyJobSchema), call),
  });
  return {
    ...jobs,
    ...transcripts(calls, path),
    ...textTranscripts(calls, path),
    async submit(source, { signal, onProgress, notification, ...options } = {}) {
      const fields = {
        ...options,
        mediaUrl: 'url' in source ? String(source.url) : undefined,
        callbackUrl: notification && String(notification.url),
      };
      return submit(toWire(LegacySubmissionSchema, fields), {
        upload: uploadOf(source),
        onProgress,
        signal,
      });
    },
    account: options =>
      calls.value(AccountSchema, {
        ...options,
        action: 'get account',
        method: 'GET',
        path: `${prefix}/account`,
      }),
  };
}
