import { stat } from 'node:fs/promises';
import { BehaviorSubject, lastValueFrom, pipe, tap } from 'rxjs';
import { messageOf } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { readCassette } from '../../replay/cassette/read/readCassette.ts';
import { record } from '../../replay/cassette/record/record.ts';
import type { Context } from '../context.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import type { RecordFlags } from '../flags/recordOptions.ts';
import { unlessAborted } from '../interruption.ts';
import { createConnectionNotes } from '../print/connectionNotes.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';
import { liveAudio, untilInterrupted } from './liveAudio.ts';
import type { LiveCommand } from './liveCommand.ts';
import { sessionOptions } from './sessionOptions.ts';
import { removeSpools, spoolNotes } from './spools.ts';

/** One run of `rxscribe record`. */
export interface RecordRun extends Omit<RecordFlags, 'mic' | 'device'> {
  readonly input: LiveInput;
}

/**
 * Records an input to its end, or to the first interruption, after which the last final still arrives; another
 * interruption ends that wait. The cassette is complete in each case. A source that fails is reported at once and ends in
 * the same way, and its error is thrown at the end.
 *
 * @param command its interruption, of two steps, and the service to use where the run names none, which is closed at the end
 */
export async function runRecord(
  context: Context,
  run: RecordRun,
  { interruption, starting }: LiveCommand,
): Promise<void> {
  const { input, out, audio, audioFormat, overwrite, speed, rate, channels } = run;
  using progress = progressLine(context.stderr);
  await using service = await starting?.catch(unlessAborted(interruption.signal));
  if (starting && !service) return;
  const live = record({
    ...sessionOptions(run, service),
    cassette: { path: out, audio, container: audioFormat, overwrite: overwrite ?? false, speed },
  });
  const statuses = live.status$.subscribe(noteStatus(progress));
  const onWarning = warningNote(progress);
  const before = await inodeOf(out);
  const showRecording = () => progress.show(`recording ${out}`);
  const source: { failure?: { readonly error: unknown } } = {};
  showRecording();
  try {
    const events$ = liveAudio(input, {
      stdin: context.stdin,
      rate,
      channels,
      speed,
      onWarning,
      progress: { show: progress.show, hide: showRecording },
      onFailure(error) {
        source.failure = { error };
        onWarning({ message: messageOf(error) });
      },
    }).pipe(
      untilInterrupted({
        // A completed stream has all its text, so its spool is not needed.
        live: pipe(live, tap({ complete: () => removeSpools(run) })),
        interrupted$: interruption.interrupted$,
        sourceOver$: new BehaviorSubject(false),
      }),
    );
    await lastValueFrom(events$, { defaultValue: undefined });
  } catch (error) {
    const after = await inodeOf(out);
    if (after !== undefined && after !== before) {
      progress.note(`The recording up to the failure is in '${out}'.`);
    }
    // The error of an embedded service says more than its close code.
    await service?.ready;
    throw error;
  } finally {
    statuses.unsubscribe();
    for (const note of spoolNotes(run)) progress.note(note);
  }
  progress.hide();
  const isNew = (await inodeOf(out)) !== before;
  context.stdout.write(`${isNew ? await summaryOf(out) : nothingText(out, before !== undefined)}\n`);
  if (source.failure) throw source.failure.error;
}

function nothingText(out: string, existed: boolean): string {
  return existed
    ? `Recorded nothing: '${out}' was left unchanged.`
    : `Recorded nothing: no audio was sent, so '${out}' was not created.`;
}

function warningNote(progress: ProgressLine): (warning: { readonly message: string }) => void {
  return ({ message }) => progress.note(`warning: ${message}`);
}

function noteStatus(progress: ProgressLine): (status: StreamStatus) => void {
  const noteOf = createConnectionNotes();
  return status => {
    const note = status.type === 'warning' ? `warning: ${status.message}` : noteOf(status);
    if (note !== undefined) progress.note(note);
  };
}

/** Resolves with the inode of a file, which changes when another file takes its place. */
async function inodeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.ino;
}

/** Resolves with a line on a cassette, which is read from the file, and thereby checked. */
async function summaryOf(path: string): Promise<string> {
  const { lines, end, audio } = await readCassette(path);
  const count = (type: string) => lines.filter(line => line.type === type).length;
  const seconds = audio ? audio.frames / audio.format.sampleRate : 0;
  const besideBytes = audio?.path === undefined ? 0 : (await stat(audio.path)).size;
  const kilobytes = Math.ceil(((await stat(path)).size + besideBytes) / 1000);
  const parts = [
    `${seconds.toFixed(1)} s${end ? '' : ' (cut off)'}`,
    counted(count('connect'), 'connection'),
    counted(count('message'), 'message'),
    `${kilobytes} kB`,
  ];
  return `Recorded '${path}': ${parts.join(', ')}.`;
}
