import { existsSync, realpathSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { audioFileNames, besideCassette } from '../../replay/cassette/audioNames.ts';
import type { Context } from '../context.ts';
import { ContextCommand, isGiven } from '../flags/contextCommand.ts';
import { addLiveOptions, type InputFlags, liveInput } from '../flags/liveOptions.ts';
import { isAddress } from '../flags/mediaArgument.ts';
import { fileExists } from '../flags/outOptions.ts';
import { addRecoveryOptions } from '../flags/recoveryOptions.ts';
import { addServiceOptions } from '../flags/serviceOptions.ts';
import { addRetentionOptions, addSpeechOptions } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { startLive } from '../live/liveCommand.ts';
import type { RecordRun } from '../live/recordRun.ts';

interface RecordFlags extends Omit<RecordRun, 'input'>, InputFlags {
  readonly import?: string;
}

/** Creates `rxscribe record`, which saves a session, or a log of one, as a cassette. */
export function recordCommand(context: Context): Command {
  const command = new ContextCommand('record', context)
    .description('save a streaming session as a cassette: its audio and its messages')
    .argument('[file]', 'audio or video file, its address or a live one, or - for standard input')
    .optionsGroup(GROUP.output)
    .requiredOption('--out <file>', 'cassette to write, such as talk.cassette.jsonl')
    .addOption(
      new Option('--audio <where>', 'audio in its own file or in the cassette')
        .choices(['beside', 'inside'])
        .default('beside'),
    )
    .addOption(
      new Option('--audio-format <kind>', 'audio format (flac requires ffmpeg)')
        .choices(['wav', 'flac'])
        .default('wav'),
    )
    .option('--overwrite', 'replace an existing cassette')
    .optionsGroup(GROUP.input)
    .option('--import <log>', 'make the cassette of a log of messages instead, with [file] as its audio')
    .addHelpText('after', notes(EXIT_CODES))
    .action(async (file: string | undefined, flags: RecordFlags) => {
      checkPlaces(file, flags);
      if (flags.import === undefined) await runStream(context, file, flags);
      else await runLog(command, context, { ...flags, log: flags.import, file });
    });
  addLiveOptions(command, 'record');
  return addRecoveryOptions(addRetentionOptions(addSpeechOptions(addServiceOptions(command)), 'session'));
}

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, or cassette cannot be written,
5 refused (token, credit, query), 130 interrupted after a clean end.`;

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
  command: Command,
  context: Context,
  { language, ...flags }: RecordFlags & { readonly log: string; readonly file: string | undefined },
): Promise<void> {
  checkImport(flags.file, command);
  const { runImport } = await import('../live/recordRun.ts');
  // The default language need not be that of a log.
  await runImport(context, { ...flags, ...(isGiven(command, 'language') && { language }) });
}

/** Options of streaming, which has already happened for a log. */
const STREAMING_OPTIONS: readonly string[] = [
  'mic',
  'device',
  'speed',
  'url',
  'token',
  'brand',
  'engine',
  'model',
  'pause',
  'fallback',
  'spool',
  'spoolKeyFile',
  'nextUrl',
  'giveUpAfter',
];

function checkImport(file: string | undefined, command: Command): void {
  if (file === '-' || (file !== undefined && isAddress(file))) {
    const found = file === '-' ? 'standard input' : 'an address';
    throw new InvalidArgumentError(`The audio of --import must be a file, not ${found}.`);
  }
  const wrong = command.options.find(option => {
    const name = option.attributeName();
    return STREAMING_OPTIONS.includes(name) && isGiven(command, name);
  });
  if (wrong) throw new InvalidArgumentError(`${wrong.long} cannot be used with --import.`);
}

/** Rejects names that could only fail when the recogniser is loaded. */
function checkPlaces(file: string | undefined, { out, overwrite, import: log }: RecordFlags): void {
  // Replay recognises cassettes by this ending.
  if (!/\.jsonl$/i.test(out)) {
    throw new InvalidArgumentError(`--out must be a name that ends in .jsonl, not '${out}'.`);
  }
  if (existsSync(out) && !overwrite) throw fileExists(out);
  const names = audioFileNames(out);
  const places = [out, besideCassette(out, names.wav), besideCassette(out, names.flac)].filter(existsSync);
  for (const input of [file, log]) {
    if (input === undefined || !existsSync(input) || !places.some(place => isSame(place, input))) continue;
    throw new InvalidArgumentError(
      `--out '${out}' would overwrite its input '${input}'. Choose another name.`,
    );
  }
}

function isSame(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b);
}
