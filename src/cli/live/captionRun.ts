import { BehaviorSubject, pipe, Subscription, tap } from 'rxjs';
import type { AudioLevel } from '../../audio/level.ts';
import type { SourceStatus } from '../../audio/source/reconnecting.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { StandbyOptions } from '../../client/stream/options.ts';
import { emptyLiveTranscript, mergeTranscript } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Context } from '../context.ts';
import { EMBEDDED } from '../flags/captionOptions.ts';
import { progressLine } from '../print/progressLine.ts';
import type { EmbeddedService } from '../provided.ts';
import { namedOutputs } from './captionOutputs.ts';
import { type CaptionResult, saveResult, showStatuses } from './captionResult.ts';
import { type CaptionRun, unusableNotes } from './captionRuns.ts';
import type { CaptionSource, SharedParts } from './captionSource.ts';
import { captionStream } from './captionStream.ts';
import { liveAudio, untilInterrupted } from './liveAudio.ts';

/**
 * Captions an input to its end, or to the first interruption, after which the last final still arrives. Another interruption
 * ends the wait for a job: final text is written, and a spool stays. A source that fails is reported at once and ends in the
 * same way, and its error is thrown at the end. The files are saved as captions become final.
 */
export async function runCaption(
  context: Context,
  run: CaptionRun,
  source: CaptionSource,
  { interruption, hurry, service }: SharedParts,
): Promise<void> {
  const { view, room, stats, outages } = source;
  using progress = progressLine(context.stderr);
  const result: CaptionResult = { transcript: emptyLiveTranscript.transcript, isComplete: false };
  const onFailure = (error: unknown) => {
    result.failure = { error };
    view.warning({ code: 'source-failed', message: messageOf(error) });
  };
  const sourceOver$ = new BehaviorSubject(false);
  const hasSpool = run.spool !== undefined;
  const statuses = new Subscription();
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
    const live = captionStream(run, {
      service: run.url === undefined ? service : undefined,
      standby: standbyOf(run, service, room.service$),
      record: run.record === undefined ? undefined : await context.provided.recorder(),
      language$: room.language$,
      recognizes$: room.recognizes$,
      addedPhrases$: room.addedPhrases$,
      hasFinishedCaptions: hasFinishedCaptions(run),
      startedAtMs: context.clock.wallTime(),
    });
    statuses.add(showStatuses(live.status$, source, { sourceOver$, hasSpool }));
    for (const message of await unusableNotes(run, service))
      view.warning({ code: 'unusable-phrase', message });
    await liveAudio(run.input, { ...audioOptions(context, run, source), progress, onFailure })
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
    // The error of an embedded service says more than its close code.
    await service?.ready;
    if (error instanceof RxscribeError && error.code === 'bad-request') room.languageRefused();
    throw error;
  } finally {
    statuses.unsubscribe();
    outages.close();
    // The files are saved even if a hook or an output has failed.
    await room.close(hurry).catch(onFailure);
    await saveResult(run, source, result);
  }
  if (result.failure) throw result.failure.error;
}

function hasFinishedCaptions(run: CaptionRun): boolean {
  const { tracks, display } = run;
  const showsFinals = namedOutputs(run).some(({ kind }) => kind.showsFinals);
  return showsFinals || tracks.length > 0 || display.some(({ value }) => value === 'block');
}

function standbyOf(
  { standby, standbyToken }: CaptionRun,
  service: EmbeddedService | undefined,
  use$: StandbyOptions['use$'],
): StandbyOptions | undefined {
  if (standby === undefined) return undefined;
  if (standby !== EMBEDDED) return { url: standby, token: standbyToken!, use$ };
  // A vocabulary id is valid at one service only.
  const query = { customVocabularyId: undefined };
  return service && { url: service.url, token: service.token, query, use$ };
}

function audioOptions(
  { stdin }: Context,
  { rate, channels, speed }: CaptionRun,
  { view, stats }: Pick<CaptionSource, 'view' | 'stats'>,
) {
  return {
    stdin,
    rate,
    channels,
    speed,
    onWarning: view.warning,
    onStatus(status: SourceStatus) {
      stats.source(status);
      const { type, message, isOther } = status;
      const note = { code: `source-${type}`, message };
      if (type === 'lost' || type === 'silent' || isOther) view.warning(note);
      else view.note(note);
    },
    onLevel: (level: AudioLevel) => stats.level(level),
  };
}
