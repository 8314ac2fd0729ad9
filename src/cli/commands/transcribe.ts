import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../captions/files/transcriptEnding.ts';
import type { TranscriptionOptions } from '../../client/jobs/areaTypes.ts';
import type { Job } from '../../client/jobs/jobTypes.ts';
import type { MediaSource } from '../../client/jobs/mediaSource.ts';
import { SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { Context } from '../context.ts';
import { JOB_EXIT_CODES } from '../exitCodes.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { isAddress, mediaName, mediaSource } from '../flags/mediaArgument.ts';
import { collect, integerFrom, segment } from '../flags/optionValues.ts';
import { addOutOptions, type OutFlags } from '../flags/outOptions.ts';
import { addServiceOptions, checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import {
  addRetentionOptions,
  addSpeechOptions,
  checkIsKept,
  type RetentionFlags,
  type SpeechFlags,
} from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { Submission } from '../service/submission.ts';

interface TranscribeFlags extends ServiceFlags, SpeechFlags, RetentionFlags, OutFlags {
  readonly format: TranscriptFormat;
  readonly profile?: CaptionProfileName;
  readonly wait: boolean;
  readonly speakerChannelsCount?: number;
  readonly speakersCount?: number;
  readonly skipDiarization?: boolean;
  readonly skipPunctuation?: boolean;
  readonly vocabulary?: string;
  readonly notify?: string;
  readonly human?: boolean;
  readonly verbatim?: boolean;
  readonly rush?: boolean;
  readonly segment?: readonly { readonly start: string; readonly end: string }[];
  readonly speakerName?: readonly { readonly displayName: string }[];
}

/** Creates `rxscribe transcribe`, which transcribes a whole recording. */
export function transcribeCommand(context: Context): Command {
  const command = new ContextCommand('transcribe', context)
    .description('transcribe a recording')
    .argument('<media>', 'audio or video file, its address, a cassette, or - for standard input')
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--format <format>', 'form of the transcript')
        .choices(Object.keys(TRANSCRIPT_FORMATS))
        .default('text'),
    )
    .addOption(
      new Option(
        '--profile <name>',
        'limits of captions (default: netflix; cea608 for SCC, which never has wider rows)',
      ).choices(Object.keys(CAPTION_PROFILES)),
    )
    .option('--no-wait', 'print the id of the job and exit')
    .addHelpText('after', notes(JOB_EXIT_CODES))
    .action(async (media: string, flags: TranscribeFlags) => {
      check(flags, { isFormatGiven: command.getOptionValueSource('format') !== 'default' });
      await runTranscribe(context, media, flags);
    });
  addJobOptions(command);
  return addRetentionOptions(addSpeechOptions(addServiceOptions(addOutOptions(command))), 'job');
}

function addJobOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.speakers)
    .addOption(
      new Option(
        '--speaker-channels-count <number>',
        'channels to transcribe apart, each as a speaker',
      ).argParser(integerFrom(SPEAKER_CHANNELS.min, SPEAKER_CHANNELS.max)),
    )
    .addOption(new Option('--speakers-count <number>', 'number of speakers').argParser(integerFrom(1, 100)))
    .option('--skip-diarization', 'do not divide the transcript by speaker')
    .optionsGroup(GROUP.speech)
    .option('--skip-punctuation', 'leave out punctuation')
    .option('--vocabulary <file>', 'phrases to favour: one a line, or .json')
    .optionsGroup(GROUP.job)
    .option('--notify <url>', 'address to notify when the job has ended')
    .optionsGroup(GROUP.people)
    .option('--human', 'have a person transcribe it')
    .option('--verbatim', 'keep every spoken word, such as um')
    .option('--rush', 'put it before other human jobs')
    .addOption(
      new Option('--segment <start-end>', 'part to transcribe, in seconds; may be repeated').argParser(
        collect(segment),
      ),
    )
    .addOption(
      new Option('--speaker-name <name>', 'name of a speaker; may be repeated').argParser(
        collect(name => ({ displayName: name })),
      ),
    );
}

/** Flags that require a service which outlives the command. */
const LASTING = {
  human: '--human',
  notify: '--notify',
  customVocabularyId: '--custom-vocabulary-id',
} as const;
/** Flags that only people heed. */
const FOR_PEOPLE = {
  verbatim: '--verbatim',
  rush: '--rush',
  segment: '--segment',
  speakerName: '--speaker-name',
} as const;

function check(flags: TranscribeFlags, { isFormatGiven }: { readonly isFormatGiven: boolean }): void {
  const refuse = (problem: string) => {
    throw new InvalidArgumentError(problem);
  };
  checkServiceFlags(flags);
  if (!flags.url && !flags.wait) refuse('--no-wait requires --url.');
  if (!flags.wait && flags.out.length > 0) refuse('--out cannot be used with --no-wait.');
  if (!flags.wait && flags.profile) refuse('--profile cannot be used with --no-wait.');
  if (!flags.wait && isFormatGiven) refuse('--format cannot be used with --no-wait.');
  if (flags.wait) checkIsKept(flags);
  for (const [name, flag] of Object.entries(LASTING)) {
    if (!flags.url && flags[name as keyof typeof LASTING]) refuse(`${flag} requires --url.`);
  }
  for (const [name, flag] of Object.entries(FOR_PEOPLE)) {
    if (!flags.human && flags[name as keyof typeof FOR_PEOPLE]) refuse(`${flag} requires --human.`);
  }
}

/** Transcribes a recording, then prints and writes its transcript; with `--no-wait`, prints the id of the job. */
async function runTranscribe(context: Context, media: string, flags: TranscribeFlags): Promise<void> {
  const { format, out, wait, vocabulary } = flags;
  const [{ readVocabularyFile }, { transcriptAs }, { writeTranscriptFiles }, submission, { useService }] =
    await Promise.all([
      import('../files/textFile.ts'),
      import('../../captions/files/transcriptText.ts'),
      import('../../captions/files/transcriptFiles.ts'),
      import('../service/submission.ts'),
      import('../service/useService.ts'),
    ]);
  const options = optionsOf(flags);
  const customVocabularies = vocabulary === undefined ? undefined : await readVocabularyFile(vocabulary);
  const source = (await cassetteMedia(media)) ?? mediaSource(media, context.stdin);
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

/** Returns the flags that are options of a job; the others are for this side. */
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

/**
 * Resolves with the audio of the cassette that an argument names; with undefined for any other argument.
 *
 * @throws RxscribeError `audio-missing` for a cassette without audio; CassetteError for a damaged one
 */
export async function cassetteMedia(argument: string): Promise<MediaSource | undefined> {
  if (isAddress(argument) || !/\.jsonl$/i.test(argument)) return undefined;
  const [{ readCassette }, { audioFileNames }] = await Promise.all([
    import('../../replay/cassette/read/readCassette.ts'),
    import('../../replay/cassette/audioNames.ts'),
  ]);
  const { audio, end } = await readCassette(argument);
  if (!audio) {
    throw new RxscribeError('audio-missing', `Cannot transcribe '${argument}': the cassette has no audio.`);
  }
  const container = end?.audio?.container ?? 'wav';
  return { data: audio.bytes(), name: basename(audio.path ?? audioFileNames(argument)[container]) };
}
