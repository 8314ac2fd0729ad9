import { Observable, type OperatorFunction, takeWhile } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import { CAPTION_CUE_DEFAULTS } from '../../transcript/cues/captionCues.ts';
import type { CaptionProfile } from '../../transcript/cues/captionProfile.ts';
import { channelOf, type LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import { type CueInput, initialLiveCueState, type LiveCueState, nextCues } from './nextCues.ts';

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
 * Converts the finals of a session to captions that comply with a profile. Those of a channel are in the order of the finals and
 * never overlap; a caption whose speech is earlier than the end of the one before is shown late. None ever changes.
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
      let voices: Pick<LiveCueState, 'voice' | 'hasSeveralVoices'> = initialLiveCueState;
      const channels = new Map<number, { state: LiveCueState; readonly timer: Timer }>();
      const take = (input: CueInput, channel: number) => {
        const own = channels.get(channel) ?? { state: initialLiveCueState, timer: createTimer(clock) };
        channels.set(channel, own);
        const { state: next, cues } = nextCues({ ...own.state, ...voices }, input, clock.now(), layout);
        if (next.open !== own.state.open) {
          own.timer.stop();
          if (next.open) own.timer.start(next.open.dueMs - clock.now(), () => take({ type: 'due' }, channel));
        }
        own.state = next;
        voices = { voice: next.voice, hasSeveralVoices: next.hasSeveralVoices };
        if (cues.length === 0) return;
        const place = channel > 0 ? { channel } : {};
        const placed = cues.map(cue => ({ ...cue, ...place, spokenAtMs: spokenAtMs(cue.ts) }));
        subscriber.next({ type: 'cues', cues: placed });
      };
      const end = (then: () => void) => {
        for (const channel of channels.keys()) take({ type: 'end' }, channel);
        then();
      };
      subscriber.add(() => {
        for (const { timer } of channels.values()) timer.stop();
      });
      subscriber.add(
        // A source that emits synchronously during subscribe() cannot be unsubscribed before it returns.
        events$.pipe(takeWhile(() => !subscriber.closed)).subscribe({
          next: event => take(event, event.type === 'connected' ? 0 : channelOf(event)),
          error: error => end(() => subscriber.error(error)),
          complete: () => end(() => subscriber.complete()),
        }),
      );
    });
}
