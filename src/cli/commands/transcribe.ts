import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { SPEAKER_CHANNELS } from '../../protocol/limits.ts';
import { TRANSCRIPT_FORMATS } from '../files/transcriptFormats.ts';
import { collect, integerFrom, segment } from '../flags/optionValues.ts';
import { addOutOptions } from '../flags/outOptions.ts';
import { addServiceOptions, checkServiceFlags } from '../flags/serviceOptions.ts';
import { addKeepingOptions, addSpeechOptions, checkIsKept } from '../flags/speechOptions.ts';
import { GROUP } from '../help/groups.ts';
import type { TranscribeFlags } from './transcribeRun.ts';

/** `rxscribe transcribe`: the transcript of a whole recording. */
export function transcribeCommand(): Command {
  const command = new Command('transcribe')
    .description('transcribe a recording')
    .argument('<media>', 'audio or video file, address of one, or - for standard input')
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--format <format>', 'what to print')
        .choices(Object.keys(TRANSCRIPT_FORMATS))
        .default('text'),
    )
    .option('--no-wait', "print the job's id, and leave it to the service")
    .optionsGroup(GROUP.speakers)
    .addOption(
      new Option(
        '--speaker-channels-count <number>',
        'channels to transcribe apart, each as a speaker',
      ).argParser(integerFrom(SPEAKER_CHANNELS.min, SPEAKER_CHANNELS.max)),
    )
    .addOption(
      new Option('--speakers-count <number>', 'how many speakers there are').argParser(integerFrom(1, 100)),
    )
    .option('--skip-diarization', 'do not part the transcript by speaker')
    .optionsGroup(GROUP.speech)
    .option('--skip-punctuation', 'no punctuation')
    .option('--vocabulary <file>', 'phrases to favour: one a line, or .json')
    .optionsGroup(GROUP.job)
    .option('--notify <url>', 'address to notify when the job has ended')
    .optionsGroup(GROUP.people)
    .option('--human', 'have people transcribe it')
    .option('--verbatim', 'every word as it was said')
    .option('--rush', 'before other jobs')
    .addOption(
      new Option('--segment <start-end>', 'a part to transcribe, in seconds; may be repeated').argParser(
        collect(segment),
      ),
    )
    .addOption(
      new Option('--speaker-name <name>', 'who speaks; may be repeated').argParser(
        collect(name => ({ displayName: name })),
      ),
    )
    .action(async (media: string, flags: TranscribeFlags) => {
      check(flags, { isFormatGiven: command.getOptionValueSource('format') !== 'default' });
      const { runTranscribe } = await import('./transcribeRun.ts');
      await runTranscribe(media, flags);
    });
  return addKeepingOptions(addSpeechOptions(addServiceOptions(addOutOptions(command))), 'job');
}

/** What makes sense only at a service that is still there when the command has ended. */
const LASTING = {
  human: '--human',
  notify: '--notify',
  customVocabularyId: '--custom-vocabulary-id',
} as const;
/** What only people are told. */
const FOR_PEOPLE = {
  verbatim: '--verbatim',
  rush: '--rush',
  segment: '--segment',
  speakerName: '--speaker-name',
} as const;

function check(flags: TranscribeFlags, { isFormatGiven }: { readonly isFormatGiven: boolean }): void {
  const refuse = (why: string) => {
    throw new InvalidArgumentError(`transcribe: ${why}`);
  };
  checkServiceFlags(flags, 'transcribe');
  if (!flags.url && !flags.wait) refuse('--no-wait needs --url');
  if (!flags.wait && flags.out.length > 0) refuse('--out and --no-wait exclude each other');
  if (!flags.wait && isFormatGiven) refuse('--format and --no-wait exclude each other');
  if (flags.wait) checkIsKept(flags, 'transcribe');
  for (const [name, flag] of Object.entries(LASTING)) {
    if (!flags.url && flags[name as keyof typeof LASTING]) refuse(`${flag} needs --url`);
  }
  for (const [name, flag] of Object.entries(FOR_PEOPLE)) {
    if (!flags.human && flags[name as keyof typeof FOR_PEOPLE]) refuse(`${flag} goes with --human`);
  }
}
