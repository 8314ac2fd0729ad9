import { BehaviorSubject, type Observable, pipe, type Subscription, tap } from 'rxjs';
import { messageOf } from '../../base/errors.ts';
import { withKeyFile } from '../../client/fallback/holesRemainError.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import { createGate } from '../../flow/gate.ts';
import { emptyLiveTranscript, mergeTranscript } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { type OutFiles, outFiles } from '../files/outFiles.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import type { CaptionView } from '../print/captionView.ts';
import { jsonView } from '../print/jsonView.ts';
import { progressLine } from '../print/progressLine.ts';
import { terminalView } from '../print/terminalView.ts';
import { type CaptionInput, captionAudio } from './captionInput.ts';
import { type CaptionSpools, captionSpools } from './captionSpools.ts';
import { jobWait } from './jobWait.ts';
import { recoveryOptions } from './recovery.ts';
import { type AskedQuery, streamQueryOf } from './streamQuery.ts';
import { untilInterrupted } from './untilInterrupted.ts';

/** One run of `rxscribe caption`, as asked for. */
export interface CaptionRun extends AskedQuery, ServiceFlags, RecoveryFlags {
  readonly input: CaptionInput;
  readonly speed: number | 'max';
  readonly out: readonly string[];
  readonly json?: boolean;
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
  readonly channelsApart?: boolean;
}

/**
 * Captions an input to its end, or to the first SIGINT or SIGTERM: then the last final still arrives. Whatever is waited
 * for when the source is over, the next one ends that: what is final is written, and a spool stays. A source that fails
 * is warned of and ends in the same way, and its error comes after. The files are written as captions become final.
 *
 * @param starting the service to use where the run names none; it is closed at the end
 */
export async function runCaption(run: CaptionRun, starting?: Promise<EmbeddedService>): Promise<void> {
  const { input, speed, out, json, rate, channels, channelsApart } = run;
  using interruption = takeInterruptions({ told: 2 });
  using progress = progressLine(process.stderr);
  await using service = await starting;
  const gate = createGate();
  const live = transcribe({
    ...streamQueryOf(run),
    url: service?.url ?? [run.url!, ...run.nextUrl],
    token: service?.token ?? run.token!,
    ...recoveryOptions(run),
    channelStreams: channelsApart ? 'apart' : 'together',
    gate,
  });
  const view = json ? jsonView(process.stdout) : terminalView(process.stdout, process.stderr);
  const result: CaptionResult = { transcript: emptyLiveTranscript.transcript, isComplete: false };
  const told = {
    next: (event: LiveEvent) => view.event(event),
    complete() {
      result.isComplete = true;
    },
  };
  const files = outFiles(out, { onWarning: view.warning });
  const source: { failure?: { readonly error: unknown } } = {};
  const onFailure = (error: unknown) => {
    source.failure = { error };
    view.warning({ code: 'source-failed', message: messageOf(error) });
  };
  const sourceOver$ = new BehaviorSubject(false);
  const statuses = tellStatuses(live.status$, { view, sourceOver$, hasSpool: run.spool !== undefined });
  try {
    await captionAudio(input, { rate, channels, speed, gate, onWarning: view.warning, progress, onFailure })
      .pipe(
        untilInterrupted({
          live: pipe(live, tap(told)),
          interrupted$: interruption.interrupted$,
          sourceOver$,
        }),
        mergeTranscript(),
      )
      .forEach(({ transcript }) => {
        if (transcript !== result.transcript) files.update(transcript);
        result.transcript = transcript;
      });
  } catch (error) {
    // A service of our own can say more than the code it closed with.
    await service?.ready;
    throw withKeyFile(error, run.spoolKeyFile);
  } finally {
    statuses.unsubscribe();
    const isFailed = !result.isComplete || source.failure !== undefined;
    await keepResult({ ...result, isFailed }, { files, view, spools: captionSpools(run) });
  }
  if (source.failure) throw source.failure.error;
}

interface CaptionResult {
  transcript: Transcript;
  /** The stream has come to its end: nothing is missing that a spool could give. */
  isComplete: boolean;
}

interface StatusReaders {
  readonly view: CaptionView;
  readonly sourceOver$: Observable<boolean>;
  readonly hasSpool: boolean;
}

function tellStatuses(
  status$: Observable<StreamStatus>,
  { view, sourceOver$, hasSpool }: StatusReaders,
): Subscription {
  const told = status$.subscribe(status => {
    if (status.type === 'warning') view.warning(status);
    else view.status(status);
  });
  const left = hasSpool ? 'leaves it to "rxscribe resume"' : 'leaves what is missing without text';
  told.add(
    jobWait(sourceOver$, status$).subscribe(() => {
      view.warning({ code: 'waiting', message: `waiting for a job; Ctrl-C ${left}` });
    }),
  );
  return told;
}

interface ResultPlaces {
  readonly files: OutFiles;
  readonly view: CaptionView;
  readonly spools: CaptionSpools;
}

/**
 * Writes the transcript, also of a run that failed: what was final is worth keeping. Only a run that failed without a
 * final leaves the files as they are. A spool goes when all of it is safe.
 */
async function keepResult(
  { transcript, isComplete, isFailed }: CaptionResult & { readonly isFailed: boolean },
  { files, view, spools }: ResultPlaces,
): Promise<void> {
  let isSafe = false;
  try {
    if (!isFailed || transcript.monologues.length > 0) await files.close(transcript);
    isSafe = isComplete;
  } finally {
    if (!isSafe) {
      for (const command of spools.commands()) {
        const message = `the audio is kept; to finish the transcript, run: ${command}`;
        view.warning({ code: 'spool-left', message });
      }
    }
    await view.close(transcript);
  }
  if (isSafe) spools.remove();
}
