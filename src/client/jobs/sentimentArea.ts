import { SENTIMENT_PREFIX } from '../../protocol/interfaceNames.ts';
import { SentimentQuerySchema } from '../../protocol/queries.ts';
import { type Sentiment, SentimentResultSchema } from '../../protocol/results.ts';
import { type SentimentSubmission, SentimentSubmissionSchema } from '../../protocol/submissions.ts';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import { type Camel, toWire } from '../../protocol/wireNames.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { CallOptions } from './clientOptions.ts';
import { type DeletableJobs, type JobArea, pathOfJob, versionedArea } from './jobArea.ts';
import type { Job, SentimentResult } from './jobTypes.ts';
import type { ServiceCalls } from './serviceCalls.ts';
import { type AddressFields, type NotificationOption, notificationFields } from './submissionFields.ts';

export interface SentimentOptions
  extends CallOptions,
    NotificationOption,
    Omit<Camel<SentimentSubmission>, AddressFields | 'text' | 'json'> {}

export interface SentimentResultOptions extends CallOptions {
  /** Returns only messages of this sentiment. Default: all. */
  readonly filterFor?: Sentiment;
}

/** Sentiment analysis of text. */
export interface SentimentArea extends JobArea<Job>, DeletableJobs {
  /** Submits plain text, or a transcript; messages of a transcript have times. */
  submit(text: string | Transcript, options?: SentimentOptions): Promise<Job>;
  /** @throws InvalidJobStateError, NotFoundError */
  result(id: string, options?: SentimentResultOptions): Promise<SentimentResult>;
}

const PATH = `${SENTIMENT_PREFIX}/jobs`;

export function sentimentArea(calls: ServiceCalls): SentimentArea {
  const { jobs, deletable, submit } = versionedArea(calls, {
    path: PATH,
    doneStatus: 'completed',
  });
  return {
    ...jobs,
    ...deletable,
    async submit(text, { signal, notification, ...options } = {}) {
      const fields = toWire(SentimentSubmissionSchema, {
        ...options,
        ...notificationFields({ notification }),
      });
      const subject = typeof text === 'string' ? { text } : { json: encodeTranscript(text) };
      return submit({ ...fields, ...subject }, { signal });
    },
    async result(id, { filterFor, signal } = {}) {
      return calls.value(SentimentResultSchema, {
        action: `get result of ${id}`,
        method: 'GET',
        path: pathOfJob(PATH, id, '/result'),
        query: toWire(SentimentQuerySchema, { filterFor }),
        accept: '*/*',
        signal,
      });
    },
  };
}
