import { Observable, type OperatorFunction, takeWhile } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { createTimer } from '../../base/wait/timer.ts';
import { CAPTION_CUE_DEFAULTS } from '../../transcript/cues/captionCues.ts';
import type { CaptionProfile } from '../../transcript/cues/captionProfile.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import { type CueInput, initialLiveCueState, nextCues } from './nextCues.ts';

/** Options of {@link liveCues}. */
export interface LiveCueOptions {
  /** Limits of the captions. Default `CAPTION_PROFILES.netflix`. */
  readonly profile?: CaptionProfile;
  /** ISO 639-1 code, for line breaks. Default `en`. */
  readonly language?: string;
  /** Returns the name of a speaker of a channel. Default: `Speaker 1` and so on, once there is more than one. */
  readonly speakerName?: (speaker: number, channel: number) => string | undefined;
  /** Returns the time of day, in milliseconds since 1970-01-01 UTC, at which a time of the audio in seconds was spoken. */
  readonly spokenAtMs: (ts: number) => number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Captions of final text. */
export type CuesStep = Extract<CaptionStep, { readonly type: 'cues' }>;

/**
 * Converts the finals of a session to captions that comply with a profile. They are in the order of the finals, never overlap
 * and never change; a caption whose speech is earlier than the end of the one before is shown late.
 *
 * The end of a caption depends on the next one, so a caption is emitted when the next one is known, when its reading time is
 * over by the events of the session or the clock, and at the latest 7 s after its first final. Everything that is left is
 * emitted at the end, also before an error. Partials, holes and repairs give no captions.
 *
 * @example
 * const startedAtMs = Date.now();
 * const cues$ = events$.pipe(
 *   liveCues({ profile: CAPTION_PROFILES.bbc, spokenAtMs: ts => startedAtMs + ts * 1000 }),
 * );
 * cues$.subscribe(({ cues }) => console.log(writeSrt(cues)));
 */
export function liveCues(options: LiveCueOptions): OperatorFunction<LiveEvent, CuesStep> {
  namedOptions('LiveCueOptions', options);
  const { clock = systemClock, spokenAtMs, speakerName = () => undefined } = options;
  const { profile = CAPTION_CUE_DEFAULTS.profile, language = CAPTION_CUE_DEFAULTS.language } = options;
  const layout = { profile, language, speakerName };
  return events$ =>
    new Observable(subscriber => {
      let state = initialLiveCueState;
      const timer = createTimer(clock);
      const take = (input: CueInput) => {
        const { state: next, cues } = nextCues(state, input, clock.now(), layout);
        if (next.open !== state.open) {
          timer.stop();
          if (next.open) timer.start(next.open.dueMs - clock.now(), () => take({ type: 'due' }));
        }
        state = next;
        if (cues.length === 0) return;
        subscriber.next({
          type: 'cues',
          cues: cues.map(cue => ({ ...cue, spokenAtMs: spokenAtMs(cue.ts) })),
        });
      };
      const end = (then: () => void) => {
        take({ type: 'end' });
        then();
      };
      subscriber.add(() => timer.stop());
      subscriber.add(
        // A source that emits synchronously during subscribe() cannot be unsubscribed before it returns.
        events$.pipe(takeWhile(() => !subscriber.closed)).subscribe({
          next: take,
          error: error => end(() => subscriber.error(error)),
          complete: () => end(() => subscriber.complete()),
        }),
      );
    });
}
