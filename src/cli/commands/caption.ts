import { CAPTION_OPTIONS, type CaptionFlags } from '../flags/captionOptions.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { startLive } from '../live/liveCommand.ts';

/** `rxscribe caption`, which captions a file, a pipe or a microphone live. */
export const captionCommand = defineCommand({
  name: 'caption',
  description: 'caption a file, standard input or a microphone live',
  examples: [
    'rxscribe caption talk.mp3 --out talk.srt --out talk.json',
    'rxscribe caption --mic --language en-GB --page 8090 --status',
    'rxscribe caption --config hall.yaml',
    'rxscribe caption https://example.org/talk.mp3 --speed max --json',
    'ffmpeg -i talk.mkv -f wav - | rxscribe caption -',
  ],
  arguments: [['[file]', 'audio or video file, its address or a live one, or - for standard input']],
  options: CAPTION_OPTIONS,
  exitCodes: `
Exit codes: 0 done, 1 a check of --check failed, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed,
5 refused (token, credit, query), 130 interrupted after a clean end.`,
  async prepare(command) {
    const { config } = command.opts<CaptionFlags>();
    if (config === undefined) return;
    const { readCaptionConfig } = await import('../flags/captionConfig.ts');
    readCaptionConfig(config, command);
  },
  async run({ args: [file], flags, context, command }) {
    const { captionRuns, usesEmbedded } = await import('../live/captionRuns.ts');
    const runs = await captionRuns(command, file, context.provided);
    if (flags.check) {
      const { checkCaptions } = await import('../doctor/captionChecks.ts');
      return checkCaptions(context, runs, flags);
    }
    const embedded = runs.find(usesEmbedded);
    const live = await startLive(context, { ...flags, ...embedded, url: embedded ? undefined : flags.url });
    using _interruption = live.interruption;
    const { runCaptions } = await import('../live/captionProcess.ts');
    await runCaptions(context, runs, { flags, command: live });
  },
});
