import { SPEECH_TO_TEXT_PREFIX, SRT_MEDIA_TYPE, VTT_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { CaptionsQuerySchema } from '../../protocol/queries.ts';
import { type SpeechToTextSubmission, SpeechToTextSubmissionSchema } from '../../protocol/submissions.ts';
import { type Camel, toWire } from '../../protocol/wireNames.ts';
import type { CallOptions } from './clientOptions.ts';
import { type DeletableJobs, type JobArea, pathOfJob, versionedArea } from './jobArea.ts';
import type { Job } from './jobTypes.ts';
import type { MediaSource } from './mediaSource.ts';
import type { ServiceCalls } from './serviceCalls.ts';
import { type AddressFields, mediaSubmission, type UploadOptions } from './submissionFields.ts';
import { type TextTranscripts, type Transcripts, textTranscripts, transcripts } from './transcripts.ts';

/** Options of a transcription. */
export interface TranscriptionOptions
  extends UploadOptions,
    Omit<Camel<SpeechToTextSubmission>, AddressFields> {}

export interface CaptionsOptions extends CallOptions {
  /** Default `srt`. */
  readonly format?: 'srt' | 'vtt';
  /** Channel of the captions; required for jobs with `speakerChannelsCount`. */
  readonly speakerChannel?: number;
}

/** Asynchronous speech-to-text; ended live sessions are also jobs of this area. */
export interface TranscriptionArea extends JobArea<Job>, DeletableJobs, Transcripts, TextTranscripts {
  /**
   * Submits media and resolves with the new job.
   *
   * @throws InvalidParametersError, OutOfCreditError, PayloadTooLargeError
   * @example
   * import { createClient } from 'rxscribe';
   *
   * const client = createClient({ url: 'http://127.0.0.1:8080', token: 'secret' });
   * const job = await client.transcription.submit({ path: 'talk.wav' }, { removeDisfluencies: true });
   */
  submit(source: MediaSource, options?: TranscriptionOptions): Promise<Job>;
  /** Resolves with the captions of a job, in SRT or WebVTT. @throws InvalidJobStateError, NotFoundError */
  captions(id: string, options?: CaptionsOptions): Promise<string>;
}

const PATH = `${SPEECH_TO_TEXT_PREFIX}/jobs`;

export function transcriptionArea(calls: ServiceCalls): TranscriptionArea {
  const { jobs, deletable, submit } = versionedArea(calls, {
    path: PATH,
    doneStatus: 'transcribed',
  });
  return {
    ...jobs,
    ...deletable,
    ...transcripts(calls, PATH),
    ...textTranscripts(calls, PATH),
    async submit(source, options = {}) {
      const { fields, sending } = mediaSubmission(source, options);
      return submit(toWire(SpeechToTextSubmissionSchema, fields), sending);
    },
    async captions(id, { format = 'srt', speakerChannel, signal } = {}) {
      return calls.text({
        action: `get captions of ${id}`,
        method: 'GET',
        path: pathOfJob(PATH, id, '/captions'),
        query: toWire(CaptionsQuerySchema, { speakerChannel }),
        accept: format === 'srt' ? SRT_MEDIA_TYPE : VTT_MEDIA_TYPE,
        signal,
      });
    },
  };
}
