import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addCaptionOptions, EMBEDDED } from '../flags/captionOptions.ts';
import type { ConfigFile } from '../flags/configFile.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { liveOptions } from '../flags/liveOptions.ts';
import { addOptions, optionGroup } from '../flags/optionGroup.ts';
import { LIVE_OUT_OPTIONS } from '../flags/outOptions.ts';
import { RECOVERY_OPTIONS } from '../flags/recoveryOptions.ts';
import { serviceOptions } from '../flags/serviceOptions.ts';
import { SESSION_RETENTION_OPTIONS, SPEECH_OPTIONS } from '../flags/speechOptions.ts';
import { examples, notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { CaptionFlags } from '../live/captionRuns.ts';
import { startLive } from '../live/liveCommand.ts';

/** Creates `rxscribe caption`, which captions a file, a pipe or a microphone live. */
export function captionCommand(context: Context): Command {
  let config: ConfigFile = { settings: {}, parts: {} };
  const command: Command = new ContextCommand('caption', context)
    .description('caption a file, standard input or a microphone live')
    .argument('[file]', 'audio or video file, its address or a live one, or - for standard input')
    .addHelpText('after', examples(EXAMPLES))
    .addHelpText('after', notes(EXIT_CODES))
    .hook('preAction', async () => {
      config = await readConfig(command);
    })
    .action(async (file: string | undefined, flags: CaptionFlags) => {
      const { captionRuns } = await import('../live/captionRuns.ts');
      const runs = await captionRuns(command, file, config);
      if (flags.check) {
        const { checkCaptions } = await import('../doctor/captionChecks.ts');
        return checkCaptions(context, runs, flags);
      }
      const embedded = runs.find(run => !run.url || run.standby === EMBEDDED);
      const live = await startLive(context, { ...flags, ...embedded, url: embedded ? undefined : flags.url });
      using _interruption = live.interruption;
      const { runCaptions } = await import('../live/captionProcess.ts');
      await runCaptions(context, runs, { flags, command: live });
    });
  addOptions(command, [
    ...liveOptions('caption'),
    optionGroup(GROUP.input, { '--channels-apart': 'stream each channel by itself' }),
    LIVE_OUT_OPTIONS,
    optionGroup(GROUP.output, { '--json': 'print one JSON object a line' }),
  ]);
  addCaptionOptions(command);
  return addOptions(command, [
    ...serviceOptions(),
    SPEECH_OPTIONS,
    SESSION_RETENTION_OPTIONS,
    RECOVERY_OPTIONS,
  ]);
}

async function readConfig(command: Command): Promise<ConfigFile> {
  const { config: path } = command.opts<{ readonly config?: string }>();
  if (path === undefined) return { settings: {}, parts: {} };
  const { readCaptionConfig } = await import('../flags/captionConfig.ts');
  return readCaptionConfig(path, command);
}

const EXAMPLES = [
  'rxscribe caption talk.mp3 --out talk.srt --out talk.json',
  'rxscribe caption --mic --language en-GB --page 8090 --status',
  'rxscribe caption --config hall.yaml',
  'rxscribe caption https://example.org/talk.mp3 --speed max --json',
  'ffmpeg -i talk.mkv -f wav - | rxscribe caption -',
];

const EXIT_CODES = `
Exit codes: 0 done, 1 a check of --check failed, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed,
5 refused (token, credit, query), 130 interrupted after a clean end.`;
