import { Command, Option } from 'commander';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../audio/contentType.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import { DEFAULT_BRAND } from '../protocol/brand.ts';
import { MAX_DELETE_AFTER_SECONDS } from '../protocol/limits.ts';
import type { CaptionRun } from './captionRun.ts';
import { integerFrom, seconds, speed } from './optionValues.ts';
import { collectTranscriptFiles } from './transcriptEnding.ts';

/** `rxscribe caption`: live captions of a file, a pipe or a microphone. */
export function captionCommand(): Command {
  return new Command('caption')
    .description('caption a file, standard input or a microphone, live')
    .argument('[file]', 'audio or video file; - for standard input')
    .option('--mic', 'caption the microphone')
    .option('--device <name>', "which microphone (default: the system's)")
    .addOption(new Option('--speed <factor>', 'times real time, or max').default(1).argParser(speed))
    .addOption(new Option('--url <url>', 'service to use (default: one of its own)').env('RXSCRIBE_URL'))
    .addOption(new Option('--token <token>', 'access token for --url').env('RXSCRIBE_TOKEN'))
    .addOption(
      new Option('--brand <word>', "the word in the service's media types")
        .env('RXSCRIBE_BRAND')
        .default(DEFAULT_BRAND),
    )
    .addOption(
      new Option('--out <file>', 'write the transcript: .srt, .vtt, .txt or .json; may be repeated')
        .argParser(collectTranscriptFiles)
        .default([]),
    )
    .option('--json', 'print one JSON object a line')
    .addOption(
      new Option('--rate <hz>', 'sample rate to stream')
        .default(16_000)
        .argParser(integerFrom(SAMPLE_RATE_RANGE.min, SAMPLE_RATE_RANGE.max)),
    )
    .addOption(
      new Option('--channels <number>', 'channels to stream')
        .default(1)
        .argParser(integerFrom(CHANNELS_RANGE.min, CHANNELS_RANGE.max)),
    )
    .option('--language <code>', 'language that is spoken', 'en')
    .option('--metadata <text>', 'free text to keep with the session')
    .addOption(
      new Option(
        '--delete-after-seconds <number>',
        'when the service deletes the session; 0: never stored',
      ).argParser(integerFrom(0, MAX_DELETE_AFTER_SECONDS)),
    )
    .option('--filter-profanity', 'mask profanities')
    .option('--remove-disfluencies', 'leave out um and uh')
    .option('--skip-postprocessing', 'no punctuation or casing')
    .option('--custom-vocabulary-id <id>', 'vocabulary to favour')
    .addOption(new Option('--start-ts <seconds>', 'time of the first sample').argParser(seconds))
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string | undefined, options: CaptionFlags) => {
      const run = toRun(file, options);
      // First, and beside all the rest: loading the recogniser takes longest.
      const service = run.url
        ? undefined
        : import('./embeddedService.ts').then(module => module.embeddedService(run));
      const { runCaption } = await import('./captionRun.ts');
      await runCaption(run, service);
    });
}

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or gave up,
5 refused (token, credit, query), 130 interrupted after a clean end.`;

interface CaptionFlags extends Omit<CaptionRun, 'input' | 'brand'> {
  readonly mic?: boolean;
  readonly device?: string;
  readonly brand: string;
}

function toRun(file: string | undefined, { mic, device, ...flags }: CaptionFlags): CaptionRun {
  if ((file === undefined) === !mic) {
    throw new InvalidArgumentError('caption: expected a file, - or --mic, and only one of them');
  }
  if (device !== undefined && !mic) throw new InvalidArgumentError('caption: --device goes with --mic');
  if (flags.url && !flags.token) {
    throw new InvalidArgumentError('caption: --url needs --token (or RXSCRIBE_TOKEN)');
  }
  const input = mic
    ? ({ kind: 'microphone', device } as const)
    : ({ kind: file === '-' ? 'stdin' : 'file', path: file! } as const);
  return { ...flags, input };
}
