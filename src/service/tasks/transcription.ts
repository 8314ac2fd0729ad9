import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import { type Transcript, withoutPunct } from '../../transcript/model/model.ts';
import { JobFailedError, type Task, type TaskContext, type TaskResult } from '../jobs/task.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { requireLanguage } from './engineCall.ts';
import { DESK_AUDIO, DESK_PEAKS, DESK_SAMPLE_RATE, writeDeskAudio } from './human/deskAudio.ts';
import type { TranscriptionInput } from './inputs.ts';
import { segmentsInside } from './inputs.ts';
import { type Media, openMedia } from './media.ts';
import { phrasesFor } from './phrases.ts';
import { RECOGNIZER, speechIn } from './speech.ts';
import type { TaskOptions } from './taskOptions.ts';
import { transcriptOf } from './utterances.ts';

/** Creates the task of transcription by machine. */
export function transcriptionTask(options: TaskOptions): Task {
  return async (job, context) => {
    const input = context.input as TranscriptionInput;
    const { transcript, media: _, ...result } = await transcribe(job, input, context, options);
    return withTranscript(input.skipPunctuation ? withoutPunct(transcript) : transcript, result);
  };
}

/**
 * Creates the machine part of a human job: a draft, and the audio that the person hears. The draft keeps punctuation and
 * profanity, by which the words of the person find their times.
 */
export function humanTask(options: TaskOptions): Task {
  return async (job, context) => {
    const input = { ...(context.input as TranscriptionInput), filterProfanity: false };
    const { transcript, media, ...result } = await transcribe(job, input, context, options);
    const segments = input.human?.segments;
    if (segments?.length && segmentsInside(result.durationSeconds ?? 0, segments).length === 0) {
      throw new JobFailedError('duration_too_short', 'No segment to transcribe lies within the media.');
    }
    const { audio, peaks } = await writeDeskAudio(media.audio({ sampleRate: DESK_SAMPLE_RATE }), {
      segments,
      directory: context.directory,
    });
    await context.keepFile(DESK_AUDIO, audio);
    await context.keepFile(DESK_PEAKS, peaks);
    return withTranscript(transcript, { ...result, waits: true });
  };
}

type Findings = Omit<TaskResult, 'results'>;

function withTranscript(transcript: Transcript, findings: Findings): TaskResult {
  return { ...findings, results: { transcript: JSON.stringify(encodeTranscript(transcript)) } };
}

async function transcribe(
  job: JobRecord,
  input: TranscriptionInput,
  context: TaskContext,
  options: TaskOptions,
): Promise<Findings & { readonly transcript: Transcript; readonly media: Media }> {
  const { language = 'en' } = job;
  requireLanguage(RECOGNIZER, options.recognizer.capabilities.languages, language);
  // Before the media, which takes longer to download.
  const { phrases, unusablePhrases } = await phrasesFor(job.accountId, input, options);
  const media = await openMedia(input, context, options);
  const utterances = await speechIn(media, { ...input, language, phrases, signal: context.signal }, options);
  return {
    transcript: transcriptOf(utterances),
    media,
    durationSeconds: wireSeconds(await media.seconds()),
    ...(unusablePhrases.length > 0 && { findings: { unusablePhrases } }),
  };
}
