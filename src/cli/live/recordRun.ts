import { stat } from 'node:fs/promises';
import { BehaviorSubject, lastValueFrom, pipe, tap } from 'rxjs';
import { messageOf } from '../../base/errors.ts';
import { withKeyFile } from '../../client/fallback/holesRemainError.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { createGate } from '../../flow/gate.ts';
import { readCassette } from '../../replay/cassette/read/readCassette.ts';
import { record } from '../../replay/cassette/record/record.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { createLinkNotes } from '../print/connectionNotes.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';
import { type CaptionInput, captionAudio } from './captionInput.ts';
import { captionSpools } from './captionSpools.ts';
import { recoveryOptions } from './recovery.ts';
import { type AskedQuery, streamQueryOf } from './streamQuery.ts';
import { untilInterrupted } from './untilInterrupted.ts';

/** One run of `rxscribe record`, as asked for. */
export interface RecordRun extends AskedQuery, ServiceFlags, RecoveryFlags {
  readonly input: CaptionInput;
  readonly out: string;
  readonly audio: 'beside' | 'inside';
  readonly audioFormat: 'wav' | 'flac';
  readonly overwrite?: boolean;
  readonly speed: number | 'max';
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
}

/**
 * Records an input to its end, or to the first SIGINT or SIGTERM: then the last final still arrives. The next one ends
 * that as well; the cassette is whole all the same. A source that fails is warned of and ends in the same way, and
 * its error comes after.
 *
 * @param starting the service to use where the run names none; it is closed at the end
 */
export async function runRecord(run: RecordRun, starting?: Promise<EmbeddedService>): Promise<void> {
  const { input, out, audio, audioFormat, overwrite, speed, rate, channels } = run;
  using interruption = takeInterruptions({ told: 2 });
  using progress = progressLine(process.stderr);
  await using service = await starting;
  const gate = createGate();
  const live = record({
    ...streamQueryOf(run),
    url: service?.url ?? [run.url!, ...run.nextUrl],
    token: service?.token ?? run.token!,
    ...recoveryOptions(run),
    gate,
    cassette: { path: out, audio, container: audioFormat, overwrite: overwrite ?? false, speed },
  });
  const statuses = live.status$.subscribe(tellStatus(progress));
  const onWarning = ({ message }: { readonly message: string }) => progress.note(`warning: ${message}`);
  const spools = captionSpools(run);
  const before = await inodeOf(out);
  const isRecording = () => progress.show(`recording ${out}`);
  const source: { failure?: { readonly error: unknown } } = {};
  isRecording();
  try {
    const events$ = captionAudio(input, {
      ...{ rate, channels, speed, gate, onWarning },
      progress: { show: progress.show, hide: isRecording },
      onFailure(error) {
        source.failure = { error };
        onWarning({ message: messageOf(error) });
      },
    }).pipe(
      untilInterrupted({
        // All has its text: nothing is missing that a spool could give.
        live: pipe(live, tap({ complete: () => spools.remove() })),
        interrupted$: interruption.interrupted$,
        sourceOver$: new BehaviorSubject(false),
      }),
    );
    await lastValueFrom(events$, { defaultValue: undefined });
  } catch (error) {
    const after = await inodeOf(out);
    if (after !== undefined && after !== before) {
      progress.note(`what was recorded before it failed is in ${out}`);
    }
    // A service of our own can say more than the code it closed with.
    await service?.ready;
    throw withKeyFile(error, run.spoolKeyFile);
  } finally {
    statuses.unsubscribe();
    for (const command of spools.commands()) {
      progress.note(`the audio is kept; to finish the transcript, run: ${command}`);
    }
  }
  progress.hide();
  const isNew = (await inodeOf(out)) !== before;
  process.stdout.write(`${isNew ? await summaryOf(out) : `recorded nothing: ${out} is as it was`}\n`);
  if (source.failure) throw source.failure.error;
}

function tellStatus(progress: ProgressLine): (status: StreamStatus) => void {
  const noteOf = createLinkNotes();
  return status => {
    const note = status.type === 'warning' ? `warning: ${status.message}` : noteOf(status);
    if (note !== undefined) progress.note(note);
  };
}

/** A file that takes the place of another one has another number. Undefined of none. */
async function inodeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.ino;
}

/** One line of what there is, read from the file: so it is also known to be good. */
export async function summaryOf(path: string): Promise<string> {
  const { lines, end, audio } = await readCassette(path);
  const count = (type: string) => lines.filter(line => line.type === type).length;
  const seconds = audio ? audio.frames / audio.format.sampleRate : 0;
  const beside = audio?.path === undefined ? 0 : (await stat(audio.path)).size;
  const kilobytes = Math.ceil(((await stat(path)).size + beside) / 1000);
  const what = [
    `${seconds.toFixed(1)} s${end ? '' : ' (cut off)'}`,
    `${counted(count('connect'), 'connection')}`,
    `${counted(count('message'), 'message')}`,
    `${kilobytes} kB`,
  ];
  return `recorded ${path}: ${what.join(', ')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
