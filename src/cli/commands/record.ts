import { existsSync, realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { refuseIf } from '../../base/errors.ts';
import { audioFileNames, besideCassette } from '../../replay/cassette/audioNames.ts';
import type { Context } from '../context.ts';
import { isGiven } from '../flags/contextCommand.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { liveInput } from '../flags/liveOptions.ts';
import { isAddress } from '../flags/mediaArgument.ts';
import { fileExists } from '../flags/outOptions.ts';
import { RECORD_OPTIONS, type RecordFlags } from '../flags/recordOptions.ts';
import { RECOVERY_OPTIONS } from '../flags/recoveryOptions.ts';
import { serviceOptions } from '../flags/serviceOptions.ts';
import { startLive } from '../live/liveCommand.ts';

/** `rxscribe record`, which saves a session, or a log of one, as a cassette. */
export const recordCommand = defineCommand({
  name: 'record',
  description: 'save a streaming session as a cassette: its audio and its messages',
  examples: [
    'rxscribe record talk.wav --out talk.cassette.jsonl',
    'rxscribe record --import log.jsonl talk.wav --out talk.cassette.jsonl',
  ],
  arguments: [['[file]', 'audio or video file, its address or a live one, or - for standard input']],
  options: RECORD_OPTIONS,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, or cassette cannot be written,
5 refused (token, credit, query), 130 interrupted after a clean end.`,
  async run({ args: [file], flags, context, command }) {
    checkPlaces(file, flags);
    if (flags.import === undefined) await runStream(context, file, flags);
    else await runLog(context, { ...flags, log: flags.import, file }, command);
  },
});

async function runStream(
  context: Context,
  file: string | undefined,
  { import: _log, mic, device, ...flags }: RecordFlags,
): Promise<void> {
  const run = { ...flags, input: liveInput(file, { ...flags, mic, device }) };
  const live = await startLive(context, run);
  using _interruption = live.interruption;
  const { runRecord } = await import('../live/recordRun.ts');
  await runRecord(context, run, live);
}

async function runLog(
  context: Context,
  { language, ...flags }: RecordFlags & { readonly log: string; readonly file: string | undefined },
  command: Command,
): Promise<void> {
  checkImport(flags.file, command);
  const { runImport } = await import('../live/recordRun.ts');
  // The default language need not be that of a log.
  await runImport(context, { ...flags, language: isGiven(command, 'language') ? language : undefined });
}

/** Options of streaming, which do not apply to a log. */
const STREAMING_OPTIONS: readonly string[] = [
  ...['mic', 'device', 'speed'],
  ...[...serviceOptions(), RECOVERY_OPTIONS].flatMap(({ names }) => names),
];

function checkImport(file: string | undefined, command: Command): void {
  refuseIf(file === '-', 'The audio of --import must be a file, not standard input.');
  refuseIf(file && isAddress(file), 'The audio of --import must be a file, not an address.');
  const wrong = command.options.find(
    option => STREAMING_OPTIONS.includes(option.name()) && isGiven(command, option.attributeName()),
  );
  refuseIf(wrong, `${wrong?.long} cannot be used with --import.`);
}

/** Checks the files before a recogniser is loaded. @throws InvalidArgumentError */
function checkPlaces(file: string | undefined, { out, overwrite, import: log }: RecordFlags): void {
  // Replay recognises cassettes by this ending.
  refuseIf(!/\.jsonl$/i.test(out), `--out must be a name that ends in .jsonl, not '${out}'.`);
  if (existsSync(out) && !overwrite) throw fileExists(out);
  const names = audioFileNames(out);
  const places = [out, besideCassette(out, names.wav), besideCassette(out, names.flac)].filter(existsSync);
  const taken = new Set(places.map(place => realpathSync(place)));
  for (const input of [file, log]) {
    const isLost = input && existsSync(input) && taken.has(realpathSync(input));
    refuseIf(isLost, `--out '${out}' would overwrite its input '${input}'. Choose another name.`);
  }
}
