import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { CaptionControl, ControlledOutput } from '../../captions/control/captionControl.ts';
import { decisionsNote, writeDecisions } from '../../captions/control/operatorDecisions.ts';
import type { RoomFigures } from '../../captions/control/operatorMessage.ts';
import type { HookCounts } from '../../captions/hook/hookRun.ts';
import { textHook } from '../../captions/hook/textHook.ts';
import { CaptionRoom } from '../../captions/hub/captionRoom.ts';
import { type CaptionTrack, trackReports } from '../../captions/hub/captionTrack.ts';
import type { FileOutput } from '../../captions/outputs/files.ts';
import type { CaptionPage } from '../../captions/outputs/page/captionPage.ts';
import type { Context } from '../context.ts';
import { removeFile } from '../files/removeFile.ts';
import type { Interruption } from '../interruption.ts';
import type { RoomReport } from '../print/captionMetrics.ts';
import { CaptionStats } from '../print/captionStats.ts';
import type { CaptionView } from '../print/captionView.ts';
import { createConnectionNotes } from '../print/connectionNotes.ts';
import { jsonView } from '../print/jsonView.ts';
import { createOutages, type Outages } from '../print/outages.ts';
import { terminalView } from '../print/terminalView.ts';
import type { EmbeddedService } from '../provided.ts';
import { type HookFlags, type OutputParts, openTrack, pageNameOf, titleOf } from './captionOutputs.ts';
import type { CaptionRun } from './captionRuns.ts';
import { tryLanguage } from './tryStream.ts';

/** The parts of a process that its sources share. */
export interface SharedParts {
  readonly interruption: Pick<Interruption, 'interrupted$'>;
  /** Aborted when captions that wait for their time are to be shown at once. */
  readonly hurry: AbortSignal;
  /** Service inside this process, for sources that name none, and as a standby. */
  readonly service?: EmbeddedService;
  readonly page?: CaptionPage;
}

/** A source whose outputs are open. */
export interface CaptionSource {
  readonly name: string;
  readonly report: () => RoomReport;
  readonly figures: () => RoomFigures;
  readonly control: CaptionControl;
  readonly view: CaptionView;
  readonly room: CaptionRoom;
  readonly stats: CaptionStats;
  readonly outages: Outages;
  readonly files: readonly FileOutput[];
}

/** Opens the outputs of a source. */
export async function openSource(
  context: Context,
  run: CaptionRun,
  { page, service }: Pick<SharedParts, 'page' | 'service'>,
): Promise<CaptionSource> {
  const { stdout, stderr, clock } = context;
  const { name, language, rules, names, startTs, decisionFile, decisions } = run;
  const shown = run.json ? jsonView(stdout, name) : terminalView(stdout, stderr, name);
  const { view, messages } = watched(shown, clock);
  // The decisions of another event must not be applied.
  if (decisionFile !== undefined && !run.continue) removeFile(decisionFile, 'the earlier decisions');
  const left = decisions && decisionsNote(decisions);
  if (left !== undefined) view.note({ code: 'operator', message: left });
  const outages = createOutages(clock);
  const parts = {
    page,
    showsEarlier: !decisions?.wasKilled,
    onNote: (message: string) => view.note({ code: 'output', message }),
    onSetup: (message: string) => shown.note({ code: 'output', message }),
    clock,
  };
  const opening = openTrack(run, { ...parts, pageName: name, title: name, terminal: view.captions });
  const hooksOpening = run.tracks.map(track => openHook(run, track, parts));
  const unkept = (error: unknown) => {
    view.warning({ code: 'not-kept', message: `A restart would undo a command. ${messageOf(error)}` });
    throw error;
  };
  const [main, ...hooks] = await Promise.all([opening, ...hooksOpening]);
  const tracks = [{ ...main, name: '', names }, ...hooks];
  const hasStandby = run.standby !== undefined;
  const room = new CaptionRoom({
    tracks,
    language,
    rules,
    takesPhrases: run.customVocabularyId === undefined,
    hasStandby,
    tryLanguage: wanted => tryLanguage({ ...run, language: wanted }, service, clock),
    decisions,
    keep:
      decisionFile === undefined ? undefined : latest => writeDecisions(decisionFile, latest).catch(unkept),
    channelCount: run.channelsApart ? run.channels : undefined,
    startTs,
    outage$: outages.paused$,
    clock,
  });
  main.onAir$.subscribe(isOnAir => room.setOnAir(isOnAir));
  const stats = new CaptionStats(room.audioClock, { hasStandby });
  const report = () => ({ name, figures: stats.figures, outputs: tracks.flatMap(reportsOf) });
  return {
    name,
    report,
    figures: () => ({ ...stats.figures, messages }),
    control: room.control,
    view,
    room,
    stats,
    outages,
    files: tracks.map(track => track.files),
  };
}

/** Opens the outputs of a hook's text. */
async function openHook(
  { name, language, names }: CaptionRun,
  track: HookFlags,
  parts: Omit<OutputParts, 'pageName' | 'title'>,
) {
  const onNote = (message: string) => parts.onNote?.(`${track.name}: ${message}`);
  let reason: string | undefined;
  const onReport = ({ failure }: HookCounts) => {
    reason = failure;
  };
  const hook = textHook({ target: track.hook, language, onNote, onReport, clock: parts.clock });
  const failure = () => reason && `the hook: ${reason}`;
  const onPage = { pageName: pageNameOf(name, track), title: titleOf(name, track) };
  const opened = await openTrack(track, { ...parts, ...onPage, onNote });
  return { ...opened, name: track.name, names, hook, failure };
}

/** Messages that an operator's page shows. */
const MAX_MESSAGES = 8;

/** Returns a view that keeps the latest warnings, notes and changes of the connection, and these messages. */
function watched(shown: CaptionView, clock: Clock) {
  const messages: RoomFigures['messages'][number][] = [];
  const keep = (text: string) => {
    messages.push({ atMs: clock.wallTime(), text });
    messages.splice(0, messages.length - MAX_MESSAGES);
  };
  const connectionNote = createConnectionNotes();
  const view: CaptionView = {
    ...shown,
    warning(warning) {
      keep(warning.message);
      shown.warning(warning);
    },
    note(note) {
      keep(note.message);
      shown.note(note);
    },
    status(status) {
      const text = connectionNote(status);
      if (text !== undefined) keep(text);
      shown.status(status);
    },
  };
  return { view, messages };
}

/** Returns the reports of a track; the outputs of a hook have its name before theirs. */
function reportsOf(track: Pick<CaptionTrack, 'name' | 'feeds' | 'failure'>): readonly ControlledOutput[] {
  const prefix = track.name === '' ? '' : `${track.name}/`;
  return trackReports(track).map(report => ({ ...report, name: prefix + report.name }));
}
