import {
  BehaviorSubject,
  combineLatest,
  filter,
  map,
  type Observable,
  pipe,
  type Subscription,
  take,
  tap,
} from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { CaptionRoom } from '../../captions/hub/captionRoom.ts';
import { type FileOutput, fileOutput } from '../../captions/outputs/files.ts';
import { withKeyFile } from '../../client/fallback/holeRepairs.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import { createGate } from '../../flow/gate.ts';
import { emptyLiveTranscript, mergeTranscript } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Context } from '../context.ts';
import type { OutputFlags } from '../flags/captionOptions.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { type QueryFlags, streamQueryOf } from '../flags/streamQuery.ts';
import { unlessAborted } from '../interruption.ts';
import type { CaptionView } from '../print/captionView.ts';
import { jsonView } from '../print/jsonView.ts';
import { createOutages, type Outages } from '../print/outages.ts';
import { progressLine } from '../print/progressLine.ts';
import { terminalView } from '../print/terminalView.ts';
import { captionTrack } from './captionOutputs.ts';
import { type CaptionSpools, captionSpools, spoolNote } from './captionSpools.ts';
import { liveAudio, untilInterrupted } from './liveAudio.ts';
import type { LiveCommand } from './liveCommand.ts';
import { recoveryOptions } from './recovery.ts';

/** Flags of one run of `rxscribe caption`. */
export interface CaptionRun extends QueryFlags, ServiceFlags, RecoveryFlags, OutputFlags {
  readonly input: LiveInput;
  readonly speed: number | 'max';
  readonly out: readonly string[];
  readonly continue?: boolean;
  readonly json?: boolean;
  readonly language: string;
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
  readonly channelsApart?: boolean;
}

/**
 * Captions an input to its end, or to the first interruption, after which the last final still arrives. Another
 * interruption ends the wait for a job: what is final is written, and a spool stays. A source that fails is reported at
 * once and ends in the same way, and its error is thrown at the end. The files are saved as captions become final.
 *
 * @param command its interruption, of two steps, and the service to use where the run names none, which is closed at the end
 */
export async function runCaption(
  context: Context,
  run: CaptionRun,
  { interruption, starting }: LiveCommand,
): Promise<void> {
  const { stdout, stderr, clock } = context;
  using progress = progressLine(stderr);
  await using service = await starting?.catch(unlessAborted(interruption.signal));
  if (starting && !service) return;
  const gate = createGate();
  const live = transcribe({
    ...streamQueryOf(run),
    url: service?.url ?? [run.url!, ...run.nextUrl],
    token: service?.token ?? run.token!,
    ...recoveryOptions(run),
    channelStreams: run.channelsApart ? 'apart' : 'together',
    gate,
  });
  const view = run.json ? jsonView(stdout) : terminalView(stdout, stderr);
  const outages = createOutages(clock);
  const room = openRoom(run, { view, outages, clock });
  const result: CaptionResult = { transcript: emptyLiveTranscript.transcript, isComplete: false };
  const files = openFiles(run, { view, clock });
  const source: { failure?: { readonly error: unknown } } = {};
  const onFailure = (error: unknown) => {
    source.failure = { error };
    view.warning({ code: 'source-failed', message: messageOf(error) });
  };
  const sourceOver$ = new BehaviorSubject(false);
  const hasSpool = run.spool !== undefined;
  const statuses = showStatuses(live.status$, { view, outages, sourceOver$, hasSpool });
  const events = {
    next(event: LiveEvent) {
      view.event(event);
      room.take(event);
    },
    complete() {
      result.isComplete = true;
    },
  };
  try {
    await liveAudio(run.input, {
      ...audioFlags(run, context),
      gate,
      onWarning: view.warning,
      progress,
      onFailure,
    })
      .pipe(
        untilInterrupted({
          live: pipe(room.audio(), live, tap(events)),
          interrupted$: interruption.interrupted$,
          sourceOver$,
        }),
        mergeTranscript(),
      )
      .forEach(({ transcript }) => {
        if (transcript !== result.transcript) files.take({ type: 'transcript', transcript });
        result.transcript = transcript;
      });
  } catch (error) {
    // An embedded service knows more than the code with which it closed.
    await service?.ready;
    throw withKeyFile(error, run.spoolKeyFile);
  } finally {
    statuses.unsubscribe();
    outages.close();
    await room.close();
    const isFailed = !result.isComplete || source.failure !== undefined;
    await saveResult({ ...result, isFailed }, { files, view, spools: captionSpools(run) });
  }
  if (source.failure) throw source.failure.error;
}

function audioFlags({ rate, channels, speed }: CaptionRun, { stdin }: Context) {
  return { stdin, rate, channels, speed };
}

function openFiles(
  { out, continue: isContinued, profile, language }: CaptionRun,
  { view, clock }: Pick<RoomParts, 'view' | 'clock'>,
): FileOutput {
  const onNote = (message: string) => view.warning({ code: 'out-failed', message });
  return fileOutput(out, { onNote, isContinued, profile, language, clock });
}

interface RoomParts {
  readonly view: CaptionView;
  readonly outages: Outages;
  readonly clock: Clock;
}

function openRoom(run: CaptionRun, { view, outages, clock }: RoomParts): CaptionRoom {
  const outputs = view.captions ? [view.captions] : [];
  const track = captionTrack('', outputs, { ...run, clock });
  const { language, startTs } = run;
  return new CaptionRoom({ tracks: [track], language, startTs, outage$: outages.paused$, clock });
}

interface CaptionResult {
  transcript: Transcript;
  /** The stream has completed: a spool has nothing more to give. */
  isComplete: boolean;
}

interface StatusReaders {
  readonly view: CaptionView;
  readonly outages: Outages;
  readonly sourceOver$: Observable<boolean>;
  readonly hasSpool: boolean;
}

function showStatuses(
  status$: Observable<StreamStatus>,
  { view, outages, sourceOver$, hasSpool }: StatusReaders,
): Subscription {
  const subscription = status$.subscribe(status => {
    outages.status(status);
    if (status.type === 'warning') view.warning(status);
    else view.status(status);
  });
  const remedy = hasSpool
    ? "Press Ctrl-C to leave it to 'rxscribe resume'."
    : 'Press Ctrl-C to leave what is missing without text.';
  subscription.add(
    waitsForJob(sourceOver$, status$).subscribe(() => {
      view.warning({ code: 'waiting', message: `Waiting for a job. ${remedy}` });
    }),
  );
  return subscription;
}

/** Emits once, when the source is over while a job is still running. */
function waitsForJob(
  sourceOver$: Observable<boolean>,
  status$: Observable<StreamStatus>,
): Observable<unknown> {
  const isWaiting$ = status$.pipe(
    filter(({ type }) => type === 'repairing' || type === 'repair-delayed' || type === 'repaired'),
    map(({ type }) => type !== 'repaired'),
  );
  return combineLatest([sourceOver$, isWaiting$]).pipe(
    filter(([isOver, isWaiting]) => isOver && isWaiting),
    take(1),
  );
}

interface ResultPlaces {
  readonly files: FileOutput;
  readonly view: CaptionView;
  readonly spools: CaptionSpools;
}

/**
 * Writes the transcript, also that of a failed run; but a run that failed before its first final leaves the files as they
 * are. A spool is removed when all of its text is safe.
 */
async function saveResult(
  { transcript, isComplete, isFailed }: CaptionResult & { readonly isFailed: boolean },
  { files, view, spools }: ResultPlaces,
): Promise<void> {
  let isSafe = false;
  try {
    if (!isFailed || transcript.monologues.length > 0) await files.save();
    isSafe = isComplete;
  } finally {
    await files.close();
    if (!isSafe) {
      for (const command of spools.commands()) {
        view.warning({ code: 'spool-left', message: spoolNote(command) });
      }
    }
    await view.close(transcript);
  }
  if (isSafe) spools.remove();
}
