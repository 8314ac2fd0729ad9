import { ALIGNMENT_PREFIX } from '../../protocol/interfaceNames.ts';
import { type AlignmentSubmission, AlignmentSubmissionSchema } from '../../protocol/submissions.ts';
import { type Camel, toWire } from '../../protocol/wireNames.ts';
import { type DeletableJobs, type JobArea, versionedArea } from './jobArea.ts';
import type { Job } from './jobTypes.ts';
import type { Address, MediaSource } from './mediaSource.ts';
import type { ServiceCalls } from './serviceCalls.ts';
import { type AddressFields, addressField, mediaSubmission, type UploadOptions } from './submissionFields.ts';
import { type Transcripts, transcripts } from './transcripts.ts';

export interface AlignmentOptions
  extends UploadOptions,
    Omit<Camel<AlignmentSubmission>, AddressFields | 'sourceTranscriptConfig' | 'transcriptText'> {
  /** The spoken words, separated by white space, or the address of a text file with them. */
  readonly text: string | Address;
}

/** Forced alignment: the times of the words of a known text. */
export interface AlignmentArea extends JobArea<Job>, DeletableJobs, Transcripts {
  submit(source: MediaSource, options: AlignmentOptions): Promise<Job>;
}

const PATH = `${ALIGNMENT_PREFIX}/jobs`;

export function alignmentArea(calls: ServiceCalls): AlignmentArea {
  const { jobs, deletable, submit } = versionedArea(calls, {
    path: PATH,
    doneStatus: 'completed',
  });
  return {
    ...jobs,
    ...deletable,
    ...transcripts(calls, PATH),
    async submit(source, { text, ...options }) {
      const { fields, sending } = mediaSubmission(source, options);
      const words =
        typeof text === 'string' ? { transcriptText: text } : { sourceTranscriptConfig: addressField(text) };
      return submit(toWire(AlignmentSubmissionSchema, { ...fields, ...words }), sending);
    },
  };
}
