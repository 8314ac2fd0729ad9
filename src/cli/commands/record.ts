import { existsSync, realpathSync } from 'node:fs';
import { refuseIf } from '../../base/errors.ts';
import { audioFileNames, besideCassette } from '../../replay/cassette/audioNames.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { liveInput } from '../flags/liveOptions.ts';
import { fileExists, isWritable } from '../flags/outOptions.ts';
import { RECORD_OPTIONS, type RecordFlags } from '../flags/recordOptions.ts';
import { startLive } from '../live/liveCommand.ts';

/** `rxscribe record`, which saves a session as a cassette. */
export const recordCommand = defineCommand({
  name: 'record',
  description: 'save a streaming session as a cassette: its audio and its messages',
  examples: ['rxscribe record talk.wav --out talk.cassette.jsonl'],
  arguments: [['[file]', 'audio or video file, its address or a live one, or - for standard input']],
  options: RECORD_OPTIONS,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, or cassette cannot be written,
5 refused (token, credit, query), 130 interrupted after a clean end.`,
  async run({ args: [file], flags: { mic, device, ...flags }, context }) {
    checkPlaces(file, flags);
    const run = { ...flags, input: liveInput(file, { ...flags, mic, device }) };
    const { checkStreamQuery } = await import('../flags/streamFlags.ts');
    checkStreamQuery(run);
    const live = await startLive(context, run);
    using _interruption = live.interruption;
    const { runRecord } = await import('../live/recordRun.ts');
    await runRecord(context, run, live);
  },
});

/** Checks the files before a recogniser is loaded. @throws InvalidArgumentError */
function checkPlaces(
  file: string | undefined,
  { out, overwrite }: Pick<RecordFlags, 'out' | 'overwrite'>,
): void {
  // Replay recognises cassettes by this ending.
  refuseIf(!/\.jsonl$/i.test(out), `--out must be a name that ends in .jsonl, not '${out}'.`);
  if (existsSync(out) && !overwrite) throw fileExists(out);
  refuseIf(!isWritable(out), `--out must be a place where you can write, not '${out}'.`);
  const names = audioFileNames(out);
  const places = [out, besideCassette(out, names.wav), besideCassette(out, names.flac)].filter(existsSync);
  const taken = new Set(places.map(place => realpathSync(place)));
  const isLost = file && existsSync(file) && taken.has(realpathSync(file));
  refuseIf(isLost, `--out '${out}' would overwrite its input '${file}'. Choose another name.`);
}
