import { Command, Option } from 'commander';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../audio/contentType.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import type { CaptionRun } from './captionRun.ts';
import { integerFrom, seconds, speed } from './optionValues.ts';
import { addRecoveryOptions, checkRecoveryFlags } from './recoveryOptions.ts';
import { addServiceOptions, checkServiceFlags } from './serviceOptions.ts';
import { addKeepingOptions, addSpeechOptions } from './speechOptions.ts';
import { checkSpoolFlags } from './spoolPaths.ts';
import { collectTranscriptFiles } from './transcriptEnding.ts';

/** `rxscribe caption`: live captions of a file, a pipe or a microphone. */
export function captionCommand(): Command {
  const command = new Command('caption')
    .description('caption a file, standard input or a microphone, live')
    .argument('[file]', 'audio or video file; - for standard input')
    .option('--mic', 'caption the microphone')
    .option('--device <name>', "which microphone (default: the system's)")
    .addOption(new Option('--speed <factor>', 'times real time, or max').default(1).argParser(speed))
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
    .option('--channels-apart', 'stream each channel by itself')
    .option('--enable-speaker-switch', 'tell speakers apart')
    .addOption(new Option('--start-ts <seconds>', 'time of the first sample').argParser(seconds))
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string | undefined, options: CaptionFlags) => {
      const run = toRun(file, options);
      // First, and beside all the rest: loading the recogniser takes longest.
      const service = run.url
        ? undefined
        : import('./embeddedService.ts').then(module =>
            module.embeddedService({ ...run, keepsJobs: run.fallback !== undefined }),
          );
      const { runCaption } = await import('./captionRun.ts');
      await runCaption(run, service);
    });
  return addRecoveryOptions(addKeepingOptions(addSpeechOptions(addServiceOptions(command)), 'session'));
}

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or gave up,
5 refused (token, credit, query), 130 interrupted after a clean end.`;

interface CaptionFlags extends Omit<CaptionRun, 'input'> {
  readonly mic?: boolean;
  readonly device?: string;
}

function toRun(file: string | undefined, { mic, device, ...flags }: CaptionFlags): CaptionRun {
  if ((file === undefined) === !mic) {
    throw new InvalidArgumentError('caption: expected a file, - or --mic, and only one of them');
  }
  if (device !== undefined && !mic) throw new InvalidArgumentError('caption: --device goes with --mic');
  checkServiceFlags(flags, 'caption');
  checkRecoveryFlags(flags, 'caption');
  checkSpoolFlags(flags, 'caption');
  const input = mic
    ? ({ kind: 'microphone', device } as const)
    : ({ kind: file === '-' ? 'stdin' : 'file', path: file! } as const);
  return { ...flags, input };
}
