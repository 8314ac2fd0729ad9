import { existsSync, realpathSync } from 'node:fs';
import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { audioFileNames, besideCassette } from '../../replay/cassette/audioNames.ts';
import { addLiveOptions, type InputFlags, liveInput, startingService } from '../flags/liveOptions.ts';
import { isAddress } from '../flags/mediaArgument.ts';
import { addRecoveryOptions } from '../flags/recoveryOptions.ts';
import { addServiceOptions, isGiven } from '../flags/serviceOptions.ts';
import { addKeepingOptions, addSpeechOptions } from '../flags/speechOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { RecordRun } from '../live/recordRun.ts';

/** `rxscribe record`: a session, or a log of one, as a cassette. */
export function recordCommand(): Command {
  const command = new Command('record')
    .description('keep a streaming session as a cassette: audio, and all that passed on the wire')
    .argument('[file]', 'audio or video file, address of one, or - for standard input')
    .optionsGroup(GROUP.output)
    .requiredOption('--out <file>', 'the cassette, as talk.cassette.jsonl')
    .addOption(
      new Option('--audio <where>', 'the audio file: beside the cassette or inside')
        .choices(['beside', 'inside'])
        .default('beside'),
    )
    .addOption(
      new Option('--audio-format <kind>', 'of the audio file; flac needs ffmpeg')
        .choices(['wav', 'flac'])
        .default('wav'),
    )
    .option('--overwrite', 'replace a cassette that is there')
    .optionsGroup(GROUP.input)
    .option('--import <log>', 'make a cassette of a log of messages instead, [file] being its audio')
    .addHelpText('after', notes(EXIT_CODES))
    .action(act);
  addLiveOptions(command, 'record');
  return addRecoveryOptions(addKeepingOptions(addSpeechOptions(addServiceOptions(command)), 'session'));
}

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or gave up, or nothing more can be
written, 5 refused (token, credit, query), 130 interrupted after a clean end.`;

interface RecordFlags extends Omit<RecordRun, 'input'>, InputFlags {
  readonly import?: string;
}

async function act(file: string | undefined, flags: RecordFlags, command: Command): Promise<void> {
  checkPlaces(file, flags);
  if (flags.import !== undefined) {
    checkImport(file, command);
    const { runImport } = await import('../live/importRun.ts');
    const { language, ...rest } = flags;
    // Of a log nobody knows it but who says so.
    const isSaid = language !== undefined && isGiven(command, 'language');
    await runImport({ ...rest, ...(isSaid && { language }), log: flags.import, file });
    return;
  }
  const run = toRun(file, flags);
  const service = startingService(run);
  const { runRecord } = await import('../live/recordRun.ts');
  await runRecord(run, service);
}

function toRun(file: string | undefined, { import: _log, ...given }: RecordFlags): RecordRun {
  const input = liveInput(file, given, 'record');
  const { mic: _mic, device: _device, ...flags } = given;
  return { ...flags, input };
}

/** What says how a session is streamed, which that of a log has been. */
const OF_STREAMING = [
  ...['mic', 'device', 'speed', 'url', 'token', 'brand', 'engine', 'model', 'pause'],
  ...['fallback', 'spool', 'spoolKeyFile', 'nextUrl', 'giveUpAfter'],
];

function checkImport(file: string | undefined, command: Command): void {
  if (file === '-' || (file !== undefined && isAddress(file))) {
    const found = file === '-' ? '- for standard input' : 'an address';
    throw new InvalidArgumentError(`record: --import wants its audio in a file, found ${found}`);
  }
  const wrong = command.options.find(option => {
    const name = option.attributeName();
    return OF_STREAMING.includes(name) && isGiven(command, name);
  });
  if (wrong) throw new InvalidArgumentError(`record: --import does not go with ${wrong.long}`);
}

/** Better known now than when the recogniser is there. */
function checkPlaces(file: string | undefined, { out, overwrite, import: log }: RecordFlags): void {
  // By which replay knows it.
  if (!/\.jsonl$/i.test(out)) {
    throw new InvalidArgumentError(`record: --out: wanted a name that ends in .jsonl, found ${out}`);
  }
  if (existsSync(out) && !overwrite) {
    throw new InvalidArgumentError(`record: --out: found ${out}; choose another name, or add --overwrite`);
  }
  const names = audioFileNames(out);
  const places = [out, besideCassette(out, names.wav), besideCassette(out, names.flac)].filter(existsSync);
  for (const read of [file, log]) {
    if (read === undefined || !existsSync(read) || !places.some(place => isSame(place, read))) continue;
    throw new InvalidArgumentError(`record: --out: wanted a name that leaves ${read} as it is, found ${out}`);
  }
}

function isSame(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b);
}
