import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { JobFailedError } from '../jobs/task.ts';

/** What users are told of media that cannot be read; messages of decoders have paths in them. */
const FAILURES: Partial<Record<ErrorCode, readonly [JobFailure, string]>> = {
  'audio-empty': ['empty_media', 'The media has no audio in it'],
  'audio-corrupt': ['invalid_media', 'The media is damaged and cannot be decoded'],
  'audio-unsupported': ['invalid_media', 'The media is not audio, or of a kind that cannot be decoded'],
  // Of the resampler: a rate that no recording has.
  'invalid-argument': ['invalid_media', 'The media has a sample rate that cannot be used'],
  'program-missing': [
    'internal_processing',
    'ffmpeg is missing where the service runs: "rxscribe doctor --fix" installs it or says how',
  ],
};

/** What an error in reading media is for the job; anything but the fault of media or machine stays what it is. */
export function mediaFailure(cause: unknown): unknown {
  const failure = cause instanceof RxscribeError && FAILURES[cause.code];
  return failure ? new JobFailedError(...failure, { cause }) : cause;
}
