import { Command } from 'commander';
import { addLiveOptions, type InputFlags, liveInput, startingService } from '../flags/liveOptions.ts';
import { addOutOptions } from '../flags/outOptions.ts';
import { addRecoveryOptions } from '../flags/recoveryOptions.ts';
import { addServiceOptions } from '../flags/serviceOptions.ts';
import { addKeepingOptions, addSpeechOptions } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { CaptionRun } from '../live/captionRun.ts';

/** `rxscribe caption`: live captions of a file, a pipe or a microphone. */
export function captionCommand(): Command {
  const command = new Command('caption')
    .description('caption a file, standard input or a microphone, live')
    .argument('[file]', 'audio or video file, address of one, or - for standard input')
    .addHelpText('after', notes(EXIT_CODES))
    .action(async (file: string | undefined, options: CaptionFlags) => {
      const run = toRun(file, options);
      const service = startingService(run);
      const { runCaption } = await import('../live/captionRun.ts');
      await runCaption(run, service);
    });
  addLiveOptions(command, 'caption')
    .optionsGroup(GROUP.input)
    .option('--channels-apart', 'stream each channel by itself');
  addOutOptions(command).option('--json', 'print one JSON object a line');
  return addRecoveryOptions(addKeepingOptions(addSpeechOptions(addServiceOptions(command)), 'session'));
}

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or gave up,
5 refused (token, credit, query), 130 interrupted after a clean end.`;

interface CaptionFlags extends Omit<CaptionRun, 'input'>, InputFlags {}

function toRun(file: string | undefined, given: CaptionFlags): CaptionRun {
  const input = liveInput(file, given, 'caption');
  const { mic: _mic, device: _device, ...flags } = given;
  return { ...flags, input };
}
