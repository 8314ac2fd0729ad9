import { combineLatest, filter, map, type Observable, type Subscription, take } from 'rxjs';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { CaptionRun } from './captionRuns.ts';
import type { CaptionSource } from './captionSource.ts';
import { removeSpools, spoolNotes } from './spools.ts';

/** Shows the statuses of a stream, and a note when its source has ended and a job is still running. */
export function showStatuses(
  status$: Observable<StreamStatus>,
  { view, room, outages, stats }: CaptionSource,
  { sourceOver$, hasSpool }: { readonly sourceOver$: Observable<boolean>; readonly hasSpool: boolean },
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
    : 'Press Ctrl-C to leave the missing parts without text.';
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

/** The text of a run. */
export interface CaptionResult {
  transcript: Transcript;
  /** True when the stream has completed: its spool is no longer needed. */
  isComplete: boolean;
  /** Error of the source, or of an output. */
  failure?: { readonly error: unknown };
}

/**
 * Writes the transcript, also that of a failed run; but a run that failed before its first final leaves the files as they
 * are. A spool is removed when all of its text is safe.
 */
export async function saveResult(
  run: CaptionRun,
  { files, view }: Pick<CaptionSource, 'files' | 'view'>,
  { transcript, isComplete, failure }: CaptionResult,
): Promise<void> {
  let isSafe = false;
  try {
    const isWhole = isComplete && !failure;
    if (isWhole || transcript.monologues.length > 0) await Promise.all(files.map(each => each.save()));
    isSafe = isComplete;
  } finally {
    if (!isSafe) {
      for (const message of spoolNotes(run)) view.warning({ code: 'spool-left', message });
    }
    await view.close(transcript);
  }
  if (isSafe) removeSpools(run);
}
