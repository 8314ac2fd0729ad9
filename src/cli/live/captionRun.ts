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
import type { AudioLevel } from '../../audio/level.ts';
import type { SourceStatus } from '../../audio/source/sourceStatus.ts';
import { messageOf } from '../../base/errors.ts';
import type { CaptionControl } from '../../captions/control/captionControl.ts';
import { CaptionRoom } from '../../captions/hub/captionRoom.ts';
import type { FileOutput } from '../../captions/outputs/files.ts';
import type { CaptionPage } from '../../captions/outputs/page/captionPage.ts';
import type { TextRules } from '../../captions/text/textRules.ts';
import { withKeyFile } from '../../client/fallback/holeRepairs.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import { createGate } from '../../flow/gate.ts';
import { CAPTION_PROFILES } from '../../transcript/cues/captionProfile.ts';
import { emptyLiveTranscript, mergeTranscript } from '../../transcript/merge/merge.ts';
import type { Names } from '../../transcript/merge/withNames.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Context } from '../context.ts';
import type { OutputFlags } from '../flags/captionOptions.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { type QueryFlags, streamQueryOf } from '../flags/streamQuery.ts';
import type { Interruption } from '../interruption.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import type { RoomReport } from '../print/captionMetrics.ts';
import { CaptionStats } from '../print/captionStats.ts';
import type { CaptionView } from '../print/captionView.ts';
import { jsonView } from '../print/jsonView.ts';
import { createOutages, type Outages } from '../print/outages.ts';
import { progressLine } from '../print/progressLine.ts';
import { terminalView } from '../print/terminalView.ts';
import { type HookFlags, trackOutputs } from './captionOutputs.ts';
import { type CaptionSpools, captionSpools, spoolNote } from './captionSpools.ts';
import { liveAudio, untilInterrupted } from './liveAudio.ts';
import { recoveryOptions } from './recovery.ts';

/** Flags of one source of `rxscribe caption`. */
export interface CaptionRun extends QueryFlags, ServiceFlags, RecoveryFlags, OutputFlags {
  /** Name of the source; empty for the only one. */
  readonly name: string;
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
  /** Words that are not shown, or shown as others. */
  readonly rules: TextRules;
  /** Names of speakers and channels. */
  readonly names: Names;
  /** Texts that hooks make of the recognised one. */
  readonly tracks: readonly HookFlags[];
}

/** The parts of a process that its sources share. */
export interface SharedParts {
  readonly interruption: Pick<Interruption, 'interrupted$'>;
  /** Aborted when captions that wait for their time are to be shown at once. */
  readonly hurry: AbortSignal;
  /** Service to use where a source names none. */
  readonly service?: EmbeddedService;
  readonly page?: CaptionPage;
  /** Adds a source to the reports of the process. */
  readonly add: (source: CaptionSource) => void;
}

/** A source in progress. */
export interface CaptionSource {
  readonly report: () => RoomReport;
  readonly control: CaptionControl;
  readonly view: CaptionView;
}

/**
 * Captions an input to its end, or to the first interruption, after which the last final still arrives. Another
 * interruption ends the wait for a job: what is final is written, and a spool stays. A source that fails is reported at
 * once and ends in the same way, and its error is thrown at the end. The files are saved as captions become final.
 */
export async function runCaption(context: Context, run: CaptionRun, shared: SharedParts): Promise<void> {
  const { interruption, hurry, service } = shared;
  using progress = progressLine(context.stderr);
  const gate = createGate();
  const live = transcribe({
    ...streamQueryOf(run),
    url: service?.url ?? [run.url!, ...run.nextUrl],
    token: service?.token ?? run.token!,
    ...recoveryOptions(run),
    channelStreams: run.channelsApart ? 'apart' : 'together',
    gate,
  });
  const { view, room, stats, outages, files } = openSource(context, run, shared);
  const result: CaptionResult = { transcript: emptyLiveTranscript.transcript, isComplete: false };
  const source: { failure?: { readonly error: unknown } } = {};
  const onFailure = (error: unknown) => {
    source.failure = { error };
    view.warning({ code: 'source-failed', message: messageOf(error) });
  };
  const sourceOver$ = new BehaviorSubject(false);
  const hasSpool = run.spool !== undefined;
  const statuses = showStatuses(live.status$, { view, outages, stats, sourceOver$, hasSpool });
  const events = {
    next(event: LiveEvent) {
      view.event(event);
      stats.event(event);
      room.take(event);
    },
    complete() {
      result.isComplete = true;
    },
  };
  try {
    await liveAudio(run.input, { ...audioOptions(context, run, { view, stats }), gate, progress, onFailure })
      .pipe(
        untilInterrupted({
          live: pipe(room.audio(), live, tap(events)),
          interrupted$: interruption.interrupted$,
          sourceOver$,
        }),
        mergeTranscript(),
      )
      .forEach(({ transcript }) => {
        if (transcript === result.transcript) return;
        stats.transcript(transcript);
        result.transcript = transcript;
      });
  } catch (error) {
    // An embedded service knows more than the code with which it closed.
    await service?.ready;
    throw withKeyFile(error, run.spoolKeyFile);
  } finally {
    statuses.unsubscribe();
    outages.close();
    await room.close(hurry);
    const isFailed = !result.isComplete || source.failure !== undefined;
    await saveResult({ ...result, isFailed }, { files, view, spools: captionSpools(run) });
  }
  if (source.failure) throw source.failure.error;
}

interface OpenSource {
  readonly view: CaptionView;
  readonly room: CaptionRoom;
  readonly stats: CaptionStats;
  readonly outages: Outages;
  readonly files: readonly FileOutput[];
}

/** Opens the outputs of a source. */
function openSource(
  { stdout, stderr, clock }: Context,
  run: CaptionRun,
  { page, add }: SharedParts,
): OpenSource {
  const { name, language, rules, names, startTs } = run;
  const options = name === '' ? {} : { label: name };
  const view = run.json ? jsonView(stdout, options) : terminalView(stdout, stderr, options);
  const outages = createOutages(clock);
  const { files, feeds, onAir$ } = trackOutputs(run, {
    page,
    pageName: name,
    terminal: view.captions,
    onNote: message => view.note({ code: 'output', message }),
    clock,
  });
  const track = { name: '', language, profile: CAPTION_PROFILES[run.profile ?? 'netflix'], names, feeds };
  const room = new CaptionRoom({
    tracks: [track],
    language,
    rules,
    channelCount: run.channelsApart ? run.channels : undefined,
    startTs,
    outage$: outages.paused$,
    clock,
  });
  onAir$.subscribe(isOnAir => room.setOnAir(isOnAir));
  const stats = new CaptionStats(room.audioClock);
  const outputs = () => feeds.map(feed => feed.report());
  add({ report: () => ({ name, figures: stats.figures, outputs: outputs() }), control: room.control, view });
  return { view, room, stats, outages, files: [files] };
}

function audioOptions(
  { stdin }: Context,
  { rate, channels, speed }: CaptionRun,
  { view, stats }: Pick<OpenSource, 'view' | 'stats'>,
) {
  return {
    stdin,
    rate,
    channels,
    speed,
    onWarning: view.warning,
    onStatus(status: SourceStatus) {
      stats.source(status);
      const { type, message } = status;
      const note = { code: `source-${type}`, message };
      if (type === 'lost' || type === 'silent') view.warning(note);
      else view.note(note);
    },
    onLevel: (level: AudioLevel) => stats.level(level),
  };
}

interface CaptionResult {
  transcript: Transcript;
  /** The stream has completed: a spool has nothing more to give. */
  isComplete: boolean;
}

interface StatusReaders {
  readonly view: CaptionView;
  readonly outages: Outages;
  readonly stats: CaptionStats;
  readonly sourceOver$: Observable<boolean>;
  readonly hasSpool: boolean;
}

function showStatuses(
  status$: Observable<StreamStatus>,
  { view, outages, stats, sourceOver$, hasSpool }: StatusReaders,
): Subscription {
  const subscription = status$.subscribe(status => {
    outages.status(status);
    stats.status(status);
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
  readonly files: readonly FileOutput[];
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
    if (!isFailed || transcript.monologues.length > 0) await Promise.all(files.map(each => each.save()));
    isSafe = isComplete;
  } finally {
    if (!isSafe) {
      for (const command of spools.commands()) {
        view.warning({ code: 'spool-left', message: spoolNote(command) });
      }
    }
    await view.close(transcript);
  }
  if (isSafe) spools.remove();
}
