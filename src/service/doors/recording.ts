import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Area, AreaContext } from '../areas/area.ts';
import { speechToText } from '../areas/speechToText.ts';
import { submit } from '../areas/submitRoute.ts';
import { invalidParameters, ProblemError } from '../problems.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import type { UploadedMedia } from '../uploads/form.ts';

/** A recording to be transcribed while its client waits. */
export interface Recording {
  /** The submission, as our own interface has it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Absent when the submission has an address. */
  readonly media?: UploadedMedia;
  /** True to transcribe each channel of the media apart. Default false. */
  readonly isByChannel?: boolean;
}

/** Jobs that transcribe every channel apart; in our own interface, a client states how many there are. */
const byChannel: Area = {
  ...speechToText,
  submission: {
    ...speechToText.submission,
    toJob(submission) {
      const { input, ...job } = speechToText.submission.toJob(submission);
      const given = input as TranscriptionInput;
      return { ...job, input: { ...given, speakerChannelsCount: 'all' } satisfies TranscriptionInput };
    },
  },
};

/** Submits the job of a recording, in the name of the account of a request. */
export async function submitRecording(
  request: FastifyRequest,
  context: AreaContext,
  { json, media, isByChannel = false }: Recording,
): Promise<JobRecord> {
  const { accountId, id: requestId } = request;
  const form = media && { media };
  const record = await submit(isByChannel ? byChannel : speechToText, context, {
    accountId,
    requestId,
    json,
    form,
  });
  request.endSubmission();
  return record;
}

/** Returns the number of channels that were transcribed apart; 1 for all as one. */
export const channelsOf = ({ findings }: JobRecord) => (findings?.channels as number | undefined) ?? 1;

/** A recording that has been transcribed. */
export interface TranscribedRecording {
  readonly record: JobRecord;
  readonly transcript: Transcript;
}

/**
 * Resolves with the transcript of a submitted job when it has ended. A client that leaves ends the wait only.
 *
 * @param media name of the media in faults
 * @throws ProblemError for a job that failed or was deleted, or when the service stops
 */
export async function transcribed(
  { raw: request, accountId }: FastifyRequest,
  { raw: response }: FastifyReply,
  {
    jobs,
    submitted,
    media,
  }: { readonly jobs: AreaContext['jobs']; readonly submitted: JobRecord; readonly media: string },
): Promise<TranscribedRecording> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  // The server drops connections without traffic.
  request.socket.setTimeout(0);
  const { id } = submitted;
  const { record, results } = (await jobs.ended(accountId, id, gone.signal)) ?? {};
  if (record?.status === 'failed') throw failureOf(record, media);
  if (record?.status === 'in_progress') {
    const detail = `The service is stopping. Job ${id} goes on with its next start.`;
    // A client that repeats the request would pay twice.
    throw new ProblemError('unavailable', { detail }, { 'x-should-retry': 'false' });
  }
  const json = results?.transcript ?? (record && (await jobs.result(id, 'transcript')));
  if (!record || json === undefined) {
    throw new ProblemError('jobNotFound', {
      detail: `Job ${id} was deleted before its transcript was read.`,
    });
  }
  return { record, transcript: decodeTranscript(JSON.parse(json)) };
}

/** Failures that other media would not have. */
const MEDIA_FAILURES: readonly unknown[] = [
  'invalid_media',
  'empty_media',
  'duration_too_short',
  'duration_exceeded',
  'download_failure',
];

function failureOf(
  { failure, failureDetail: detail = 'The transcription failed.' }: JobRecord,
  media: string,
): ProblemError {
  if (failure === 'insufficient_balance') return new ProblemError('outOfCredit', { detail });
  if (!MEDIA_FAILURES.includes(failure)) return new ProblemError('internal', { detail });
  return new ProblemError('invalidParameters', {
    detail,
    ...invalidParameters({ [media]: [detail] }).fields,
  });
}
