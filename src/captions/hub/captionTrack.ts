import {
  combineLatest,
  concat,
  distinctUntilChanged,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  share,
  skipWhile,
  startWith,
  switchMap,
  takeUntil,
} from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { CaptionProfile } from '../../transcript/cues/captionProfile.ts';
import { emptyLiveTranscript, type LiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import { type Names, nameOf, withNames } from '../../transcript/merge/withNames.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import { captionSteps } from '../captionSteps.ts';
import type { ControlledOutput } from '../control/captionControl.ts';
import { liveCues } from '../cues/liveCues.ts';
import type { OutputFeed } from './outputFeed.ts';

/** A text of a source, recognised or from a hook, with its outputs. */
export interface CaptionTrack {
  /** Name for reports. Default: that of the recognised text, which is empty. */
  readonly name?: string;
  /** Converts the recognised text. Default: unchanged. */
  readonly hook?: OperatorFunction<LiveEvent, LiveEvent>;
  /** Returns the reason why the hook gives no text now; undefined while it works. Default: nothing is known. */
  readonly failure?: () => string | undefined;
  /** ISO 639-1 code, for line breaks. Default: the language of the room. */
  readonly language?: string;
  /** Limits of finished captions. Default `CAPTION_PROFILES.netflix`. */
  readonly profile?: CaptionProfile;
  /** Names of speakers and channels. */
  readonly names?: Names;
  /** Outputs of the text. */
  readonly feeds: readonly OutputFeed[];
}

/** Returns the reports of the outputs of a track; all of them fail with its hook. */
export function trackReports({
  feeds,
  failure,
}: Pick<CaptionTrack, 'feeds' | 'failure'>): readonly ControlledOutput[] {
  const ofHook = failure?.();
  return feeds.map(feed => ({ ...(ofHook !== undefined && { failure: ofHook }), ...feed.report() }));
}

export interface TrackStepOptions extends Pick<CaptionTrack, 'language' | 'profile' | 'names'> {
  /** Notice for text that was given up. */
  readonly givenUpNotice: string | undefined;
  /** Number of channels that are streamed apart. Default: all are streamed together. */
  readonly channelCount?: number;
  /** Emit true while a notice says that captions are paused. */
  readonly pauses: readonly Observable<boolean>[];
  /** Returns whether a hole is a pause whose notice was shown. */
  readonly isKnownPause: (hole: { readonly ts: number; readonly endTs: number }) => boolean;
  /** Emits when captions begin anew after a kill: no earlier speech is shown from then on. */
  readonly newStart$: Observable<unknown>;
  /** Returns whether an event has text that was spoken before the kill. */
  readonly isKilled: (event: LiveEvent) => boolean;
  /** Returns the time of day of a position, in milliseconds since 1970-01-01 UTC. */
  readonly spokenAtMs: (ts: number) => number;
  readonly clock: Clock;
}

/** Converts the events of a track to the steps of its outputs: words, finished captions, and the transcript. */
export function trackSteps(
  events$: Observable<LiveEvent>,
  options: TrackStepOptions,
): Observable<CaptionStep> {
  const { profile, language, names = {}, channelCount, spokenAtMs, pauses, clock } = options;
  const { isKilled, isKnownPause, givenUpNotice } = options;
  const shared$ = events$.pipe(share());
  const paused$ = combineLatest(pauses).pipe(
    map(all => all.some(Boolean)),
    distinctUntilChanged(),
  );
  const shown$ = shared$.pipe(filter(event => !isKilled(event)));
  const newText = restarting(
    options.newStart$.pipe(takeUntil(shared$.pipe(ignoreElements(), endWith(true)))),
  );
  const words$ = newText(() =>
    shown$.pipe(
      filter(event => event.type !== 'hole' || !isKnownPause(event)),
      captionSteps({ paused$, givenUpNotice, names, language, clock }),
      filter(({ type }) => type !== 'end'),
    ),
  );
  const speakerName = (speaker: number, channel: number) => nameOf(names, { speaker, channel });
  const cues$ = newText(() => shown$.pipe(liveCues({ profile, language, speakerName, spokenAtMs, clock })));
  const transcripts$ = shared$.pipe(
    scan(withEvent, { base: emptyLiveTranscript, events: [], live: emptyLiveTranscript }),
    map(({ live }) => live.transcript),
    distinctUntilChanged(),
    skipWhile(({ monologues }) => monologues.length === 0),
    map(
      transcript => ({ type: 'transcript', transcript: withNames(transcript, names, channelCount) }) as const,
    ),
  );
  // The end comes once, after the last captions.
  return concat(merge(transcripts$, cues$, words$), of({ type: 'end' } as const));
}

/** Events that can be merged again without the text that was taken back. */
const REMEMBERED_EVENTS = 200;

interface Merged {
  readonly base: LiveTranscript;
  /** The latest events, which follow the base. */
  readonly events: readonly LiveEvent[];
  readonly live: LiveTranscript;
}

function withEvent({ base, events, live }: Merged, event: LiveEvent): Merged {
  if (event.type === 'final' && event.takesBack) {
    const kept = events.filter(each => each.type !== 'final' || each.ts < event.ts);
    return { base, events: kept, live: kept.reduce(mergeEvent, base) };
  }
  const all = [...events, event];
  const old = all.slice(0, -REMEMBERED_EVENTS);
  return {
    base: old.reduce(mergeEvent, base),
    events: all.slice(old.length),
    live: mergeEvent(live, event),
  };
}

/** Returns a function that subscribes to a source, and again at each new start, so that earlier speech is forgotten. */
function restarting(newStart$: Observable<unknown>) {
  return <Step>(steps$: () => Observable<Step>): Observable<Step> =>
    newStart$.pipe(startWith(undefined), switchMap(steps$));
}
