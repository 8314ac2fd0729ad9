import { combineLatest, filter, map, type Observable, type Subscription, take } from 'rxjs';
import type { CaptionRoom } from '../../captions/hub/captionRoom.ts';
import type { FileOutput } from '../../captions/outputs/files.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { CaptionStats } from '../print/captionStats.ts';
import type { CaptionView } from '../print/captionView.ts';
import type { Outages } from '../print/outages.ts';
import { type CaptionSpools, spoolNote } from './captionSpools.ts';

export interface CaptionResult {
  transcript: Transcript;
  /** The stream has completed: a spool has nothing more to give. */
  isComplete: boolean;
}

interface StatusReaders {
  readonly view: CaptionView;
  readonly room: Pick<CaptionRoom, 'languageRefused'>;
  readonly outages: Outages;
  readonly stats: CaptionStats;
  readonly sourceOver$: Observable<boolean>;
  readonly hasSpool: boolean;
}

/** Shows the status of a stream. */
export function showStatuses(
  status$: Observable<StreamStatus>,
  { view, room, outages, stats, sourceOver$, hasSpool }: StatusReaders,
): Subscription {
  const subscription = status$.subscribe(status => {
    outages.status(status);
    stats.status(status);
    if (status.type !== 'warning') return view.status(status);
    view.warning(status);
    if (status.code === 'query-refused') room.languageRefused();
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
export async function saveResult(
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
