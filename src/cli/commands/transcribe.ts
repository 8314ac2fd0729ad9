import { refuseIf } from '../../base/errors.ts';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../captions/files/transcriptEnding.ts';
import type { TranscriptionOptions } from '../../client/jobs/areaTypes.ts';
import type { Job } from '../../client/jobs/jobTypes.ts';
import { SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { isAddress, mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { type FlagsOf, optionGroup } from '../flags/optionGroup.ts';
import { collect, integerFrom, segment } from '../flags/optionValues.ts';
import { OUT_OPTIONS } from '../flags/outOptions.ts';
import { checkServiceFlags, serviceOptions } from '../flags/serviceOptions.ts';
import {
  checkIsKept,
  JOB_RETENTION_OPTIONS,
  PHRASE_OPTIONS,
  SPEECH_OPTIONS,
} from '../flags/speechOptions.ts';
import type { Submission } from '../service/submission.ts';
import { useService } from '../service/useService.ts';

const PROFILES = Object.keys(CAPTION_PROFILES) as CaptionProfileName[];

const OPTIONS = [
  optionGroup('Output', {
    '--format <format>': {
      help: 'form of the transcript',
      choices: Object.keys(TRANSCRIPT_FORMATS) as TranscriptFormat[],
      default: 'text',
    },
    '--profile <name>': {
      help: 'limits of captions (default: netflix; cea608 for SCC, which never has wider rows)',
      choices: PROFILES,
    },
    '--no-wait': 'print the id of the job and exit',
  }),
  optionGroup('Speakers', {
    '--speaker-channels-count <number>': {
      help: 'channels to transcribe apart, each as a speaker',
      parse: integerFrom(SPEAKER_CHANNELS.min, SPEAKER_CHANNELS.max),
    },
    '--speakers-count <number>': { help: 'number of speakers', parse: integerFrom(1, 100) },
    '--skip-diarization': 'do not divide the transcript by speaker',
  }),
  optionGroup('Speech', { '--skip-punctuation': 'leave out punctuation' }),
  PHRASE_OPTIONS,
  optionGroup('Job', { '--notify <url>': 'address to notify when the job has ended' }),
  optionGroup('People', {
    '--human': 'have a person transcribe it',
    '--verbatim': 'keep every spoken word, such as um',
    '--rush': 'put it before other human jobs',
    '--segment <start-end>': {
      help: 'part to transcribe, in seconds; may be repeated',
      parse: collect(segment),
    },
    '--speaker-name <name>': {
      help: 'name of a speaker; may be repeated',
      parse: collect(displayName => ({ displayName })),
    },
  }),
  OUT_OPTIONS,
  ...serviceOptions(),
  SPEECH_OPTIONS,
  JOB_RETENTION_OPTIONS,
] as const;

/** `rxscribe transcribe`, which transcribes a whole recording. */
export const transcribeCommand = defineCommand({
  name: 'transcribe',
  description: 'transcribe a recording',
  examples: [
    'rxscribe transcribe talk.mp3 --format srt --out talk.json',
    'rxscribe transcribe call.wav --speaker-channels-count 2 --vocabulary names.txt',
    'rxscribe transcribe talk.cassette.jsonl --human --no-wait',
    'rxscribe transcribe https://example.org/talk.mp3 --no-wait --notify https://example.org/hook',
  ],
  arguments: [['<media>', 'audio or video file, its address, a cassette, or - for standard input']],
  options: OPTIONS,
  exitCodes: JOB_EXIT_CODES,
  async run({ args: [media], flags, context, command }) {
    check(flags, { isFormatGiven: command.getOptionValueSource('format') !== 'default' });
    await runTranscribe(context, media, flags);
  },
});

type TranscribeFlags = FlagsOf<typeof OPTIONS>;

/** @throws InvalidArgumentError for flags that exclude or require each other */
function check(flags: TranscribeFlags, { isFormatGiven }: { readonly isFormatGiven: boolean }): void {
  const { url, wait, human } = flags;
  checkServiceFlags(flags);
  refuseIf(!url && !wait, '--no-wait requires --url.');
  refuseIf(!wait && flags.out.length > 0, '--out cannot be used with --no-wait.');
  refuseIf(!wait && flags.profile, '--profile cannot be used with --no-wait.');
  refuseIf(!wait && isFormatGiven, '--format cannot be used with --no-wait.');
  if (wait) checkIsKept(flags);
  refuseIf(!url && human, '--human requires --url.');
  refuseIf(!url && flags.notify, '--notify requires --url.');
  refuseIf(!url && flags.customVocabularyId, '--custom-vocabulary-id requires --url.');
  refuseIf(!human && flags.verbatim, '--verbatim requires --human.');
  refuseIf(!human && flags.rush, '--rush requires --human.');
  refuseIf(!human && flags.segment, '--segment requires --human.');
  refuseIf(!human && flags.speakerName, '--speaker-name requires --human.');
}

/** Transcribes a recording, then prints and writes its transcript; with `--no-wait`, prints the id of the job. */
async function runTranscribe(context: Context, media: string, flags: TranscribeFlags): Promise<void> {
  const { format, out, wait } = flags;
  const { provided, stdin } = context;
  const [{ readPhraseFiles }, { transcriptAs }, { writeTranscriptFiles }, submission] = await Promise.all([
    import('../files/phraseFiles.ts'),
    import('../../captions/files/transcriptText.ts'),
    import('../../captions/files/transcriptFiles.ts'),
    import('../service/submission.ts'),
  ]);
  const options = optionsOf(flags);
  const customVocabularies = await readPhraseFiles(flags, provided);
  const isCassette = !isAddress(media) && /\.jsonl$/i.test(media);
  const source = isCassette ? await provided.cassetteAudio(media) : mediaSource(media, stdin);
  await useService(context, flags, async use => {
    const { transcription } = use.client;
    const job: Submission<Job> = {
      task: `transcribing ${mediaName(media)}`,
      media,
      submit: uploading => transcription.submit(source, { ...options, ...uploading, customVocabularies }),
    };
    if (!wait) {
      const { id } = await submission.submitJob(use, job);
      use.print(`${id}\n`);
      return;
    }
    const { id, durationSeconds: seconds } = await submission.submitAndWait<Job>(use, {
      ...job,
      waitFor: transcription.waitFor,
    });
    use.progress.show('fetching the transcript');
    const transcript = await transcription.transcript(id);
    const found = new Set<string>();
    const text = { ...flags, seconds, onNote: (note: string) => found.add(note) };
    // Printed first: a full disk must not cost the work.
    use.print(transcriptAs(TRANSCRIPT_FORMATS[format], transcript, text));
    await writeTranscriptFiles(out, transcript, text);
    for (const note of found) use.progress.note(note);
  });
}

/** Returns the flags that are options of a job; the others concern the command only. */
function optionsOf({ notify, human, segment, speakerName, ...flags }: TranscribeFlags): TranscriptionOptions {
  return {
    metadata: flags.metadata,
    deleteAfterSeconds: flags.deleteAfterSeconds,
    language: flags.language,
    filterProfanity: flags.filterProfanity,
    removeDisfluencies: flags.removeDisfluencies,
    skipPostprocessing: flags.skipPostprocessing,
    customVocabularyId: flags.customVocabularyId,
    speakerChannelsCount: flags.speakerChannelsCount,
    speakersCount: flags.speakersCount,
    skipDiarization: flags.skipDiarization,
    skipPunctuation: flags.skipPunctuation,
    verbatim: flags.verbatim,
    rush: flags.rush,
    segmentsToTranscribe: segment,
    speakerNames: speakerName,
    transcriber: human ? 'human' : undefined,
    notification: notify === undefined ? undefined : { url: notify },
  };
}
