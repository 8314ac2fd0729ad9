import { importMessageLog } from '../../replay/cassette/import/importMessageLog.ts';
import { takeInterruptions } from '../interruption.ts';
import { progressLine } from '../print/progressLine.ts';
import { type RecordRun, summaryOf } from './recordRun.ts';
import { type AskedQuery, streamQueryOf } from './streamQuery.ts';

/** One run of `rxscribe record --import`, as asked for. */
export interface ImportRun
  extends AskedQuery,
    Pick<RecordRun, 'out' | 'audio' | 'audioFormat' | 'overwrite' | 'rate' | 'channels'> {
  readonly log: string;
  /** Its audio. */
  readonly file: string | undefined;
}

/** Makes a cassette of a log of messages. */
export async function runImport(run: ImportRun): Promise<void> {
  const { log, file, out, audio, audioFormat, overwrite, rate, channels } = run;
  using interruption = takeInterruptions();
  using progress = progressLine(process.stderr);
  progress.show(`importing ${log}`);
  await importMessageLog({
    ...{ log, signal: interruption.signal, format: { sampleRate: rate, channels } },
    ...(file !== undefined && { media: file }),
    query: streamQueryOf(run),
    cassette: { path: out, audio, container: audioFormat, overwrite: overwrite ?? false },
    onWarning: ({ message }) => progress.note(`warning: ${message}`),
  });
  progress.hide();
  process.stdout.write(`${await summaryOf(out)}\n`);
}
