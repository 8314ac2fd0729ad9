import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addCaptionOptions, CAPTION_CONFIG, checkOutputFlags } from '../flags/captionOptions.ts';
import { applySettings, readConfigFile } from '../flags/configFile.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addLiveOptions, type InputFlags, liveInput } from '../flags/liveOptions.ts';
import { addOutOptions } from '../flags/outOptions.ts';
import { addRecoveryOptions } from '../flags/recoveryOptions.ts';
import { addServiceOptions } from '../flags/serviceOptions.ts';
import { addRetentionOptions, addSpeechOptions } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { CaptionRun } from '../live/captionRun.ts';
import { startLive } from '../live/liveCommand.ts';

interface CaptionFlags extends Omit<CaptionRun, 'input'>, InputFlags {}

/** Creates `rxscribe caption`, which captions a file, a pipe or a microphone live. */
export function captionCommand(context: Context): Command {
  const command: Command = new ContextCommand('caption', context)
    .description('caption a file, standard input or a microphone live')
    .argument('[file]', 'audio or video file, its address, or - for standard input')
    .addHelpText('after', notes(EXIT_CODES))
    .hook('preAction', () => readConfig(command))
    .action(async (file: string | undefined, { mic, device, ...flags }: CaptionFlags) => {
      checkOutputFlags(flags);
      const run = { ...flags, input: liveInput(file, { ...flags, mic, device }) };
      const live = await startLive(context, run);
      using _interruption = live.interruption;
      const { runCaption } = await import('../live/captionRun.ts');
      await runCaption(context, run, live);
    });
  addLiveOptions(command, 'caption')
    .optionsGroup(GROUP.input)
    .option('--channels-apart', 'stream each channel by itself');
  addOutOptions(command, { canContinue: true }).option('--json', 'print one JSON object a line');
  addCaptionOptions(command);
  return addRecoveryOptions(addRetentionOptions(addSpeechOptions(addServiceOptions(command)), 'session'));
}

function readConfig(command: Command): void {
  const { config } = command.opts<{ readonly config?: string }>();
  if (config !== undefined) applySettings(command, readConfigFile(config, command, CAPTION_CONFIG).settings);
}

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, 5 refused (token, credit,
query), 130 interrupted after a clean end.`;
