import { defaultLanguage } from '../../engines/foundLanguage.ts';
import { HUMAN_LIMITS, SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import { withNames } from '../../transcript/merge/withNames.ts';
import { type Transcript, withoutPunct } from '../../transcript/model/model.ts';
import { JobFailedError, type Task, type TaskContext, type TaskResult } from '../jobs/task.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { requireLanguage } from './engineCall.ts';
import { DESK_AUDIO, DESK_PEAKS, DESK_SAMPLE_RATE, writeDeskAudio } from './human/deskAudio.ts';
import { finishHuman, wordsWithin } from './human/finishHuman.ts';
import type { Segment, TranscriptionInput } from './inputs.ts';
import { type Media, openMedia } from './media.ts';
import { phrasesFor } from './phrases.ts';
import { RECOGNIZER, speechIn } from './speech.ts';
import type { TaskOptions } from './taskOptions.ts';
import { transcriptOf } from './utterances.ts';
import { withWireTimes } from './wireTimes.ts';

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
 * profanity, so that the words of the person can be matched with its times. In test mode, the draft is also the result.
 */
export function humanTask(options: TaskOptions): Task {
  return async (job, context) => {
    const wanted = context.input as TranscriptionInput;
    const { segments, isTest, speakerNames: speakers } = wanted.human ?? {};
    const input = { ...wanted, filterProfanity: false };
    const run = isTest ? testRun(context, options) : { context, options };
    const { transcript, media, ...result } = await transcribe(job, input, run.context, run.options);
    await requireWithin(media, segments);
    if (isTest) {
      const draft = { transcript, seconds: result.durationSeconds ?? 0 };
      const work = withNames(wordsWithin(transcript, segments), { speakers });
      return { ...withTranscript(finishHuman(work, draft, wanted), result), isFree: true };
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

/** Returns the context and options of a test: it holds no credit, and its media is short. */
function testRun(context: TaskContext, { limits, ...options }: TaskOptions) {
  const maxMediaSeconds = Math.min(limits.maxMediaSeconds, HUMAN_LIMITS.testSeconds);
  return {
    context: { ...context, reserve: async () => {} },
    options: { ...options, limits: { ...limits, maxMediaSeconds } },
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
  const { capabilities } = options.recognizer;
  const wanted = job.language ?? defaultLanguage(capabilities);
  if (wanted) requireLanguage(RECOGNIZER, capabilities.languages, wanted);
  // Before the media, which takes longer to download.
  const { phrases, unusablePhrases } = await phrasesFor(job, input, options);
  const media = await openMedia(input, context, options);
  await requireWithin(media, input.human?.segments);
  const channels = input.speakerChannelsCount;
  const speakerChannelsCount = channels === 'all' ? await channelsApart(media) : channels;
  const { signal } = context;
  const speech = { ...input, speakerChannelsCount, language: wanted, phrases, signal };
  const { utterances, language } = await speechIn(media, speech, options);
  const durationSeconds = wireSeconds(await media.seconds());
  const findings = {
    ...media.findings(),
    ...(unusablePhrases.length > 0 && { unusablePhrases }),
    ...(channels === 'all' && { channels: speakerChannelsCount }),
  };
  return {
    transcript: withWireTimes(transcriptOf(utterances), [{ ts: 0, endTs: durationSeconds }]),
    media,
    language,
    durationSeconds,
    ...(Object.keys(findings).length > 0 && { findings }),
  };
}

/** @throws JobFailedError `invalid_media` for more channels than can be transcribed apart */
async function channelsApart(media: Media): Promise<number> {
  const channels = await media.channels();
  const { max } = SPEAKER_CHANNELS;
  if (channels <= max) return channels;
  const detail = `The media has ${channels} channels (at most ${max} can be transcribed apart).`;
  throw new JobFailedError('invalid_media', detail);
}

/**
 * Requires segments within the media, whose length may be rounded up to a whole second.
 *
 * @throws JobFailedError `invalid_media`
 */
async function requireWithin(media: Media, segments: readonly Segment[] | undefined): Promise<void> {
  if (!segments) return;
  const end = Math.max(...segments.map(segment => segment.end));
  const isBeyond = async () => end > Math.ceil(await media.seconds());
  if (!(await isBeyond())) return;
  // The media may be longer than it states.
  for await (const _ of media.audio({ sampleRate: DESK_SAMPLE_RATE, share: [0, 0] }));
  if (!(await isBeyond())) return;
  const seconds = wireSeconds(await media.seconds());
  throw new JobFailedError(
    'invalid_media',
    `A segment to transcribe ends at ${end} seconds, but the media has ${seconds} seconds.`,
  );
}
