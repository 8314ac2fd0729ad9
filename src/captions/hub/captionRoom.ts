import { type MonoTypeOperatorFunction, map, type Observable, of, pipe, Subject, share } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import { pausable } from '../../audio/pausable.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionControl } from '../control/captionControl.ts';
import { checkTextRules, type TextRules, textRules } from '../text/textRules.ts';
import { type AudioClock, createAudioClock } from './audioClock.ts';
import { CaptionHub } from './captionHub.ts';
import { type CaptionTrack, trackSteps } from './captionTrack.ts';

export interface CaptionRoomOptions {
  /** The recognised text, and those that hooks make of it. */
  readonly tracks: readonly CaptionTrack[];
  /** ISO 639-1 code of the first session. */
  readonly language: string;
  /** Emits true while the service is away: outputs show a notice. Emits at once. Default: it is never away. */
  readonly outage$?: Observable<boolean>;
  /** Rules for the text, which an operator can extend. Default: none. */
  readonly rules?: TextRules;
  /** Number of channels that are streamed apart. Default: all are streamed together. */
  readonly channelCount?: number;
  /** Position of the first frame in seconds. Default 0. */
  readonly startTs?: number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/**
 * One source of captions with all of its outputs, under the control of a person.
 *
 * @throws InvalidArgumentError as {@link checkTextRules}
 * @example
 * import { createGate, fromFile, pace, transcribe } from 'rxscribe';
 * import { CaptionRoom, fileOutput, OutputFeed } from 'rxscribe/captions';
 *
 * const feeds = [new OutputFeed({ output: fileOutput(['talk.srt', 'talk.txt']) })];
 * const room = new CaptionRoom({ language: 'en', tracks: [{ feeds }] });
 * const gate = createGate();
 * const audio$ = fromFile('talk.wav', { gate }).pipe(pace({ speed: 1, gate }));
 * const live = transcribe({ url: 'http://127.0.0.1:8080', token: 'token' });
 * await audio$.pipe(room.audio(), live).forEach(event => room.take(event));
 * await room.close();
 */
export class CaptionRoom {
  readonly #hub: CaptionHub;
  readonly #audioClock: AudioClock;
  readonly #tracks: readonly CaptionTrack[];
  readonly #events$ = new Subject<LiveEvent>();
  /** Resolves when all tracks have ended. */
  readonly #ended: Promise<readonly PromiseSettledResult<void>[]>;

  constructor(options: CaptionRoomOptions) {
    const { tracks, language, rules = {}, channelCount, startTs, clock = systemClock } = options;
    const { outage$ = of(false) } = options;
    checkTextRules(rules);
    this.#tracks = tracks;
    this.#audioClock = createAudioClock(clock, { startTs });
    const feeds = tracks.flatMap(track => track.feeds);
    const onTyped = (event: LiveEvent) => this.#events$.next(event);
    this.#hub = new CaptionHub({ feeds, language, rules, audioClock: this.#audioClock, clock, onTyped });
    const events$ = this.#events$.pipe(textRules(this.#hub.rules$), share());
    const shared = {
      pauses: [outage$, this.#hub.paused$],
      newStart$: this.#hub.newStart$,
      isKilled: (event: LiveEvent) => this.#hub.isKilled(event),
      isKnownPause: (hole: { ts: number; endTs: number }) => this.#hub.isKnownPause(hole),
      spokenAtMs: (ts: number) => this.#audioClock.wallTimeMs(ts),
      channelCount,
      clock,
    };
    const ended = tracks.map(({ hook, feeds, names, profile, language: own = language }) => {
      // A banned word must not come back by a hook.
      const text$ = hook ? events$.pipe(hook, textRules(this.#hub.rules$)) : events$;
      const steps$ = trackSteps(text$, { ...shared, profile, language: own, names });
      return steps$.forEach(step => {
        this.#hub.show(step, feeds);
      });
    });
    this.#ended = Promise.allSettled(ended);
  }

  /** Relation of positions in the audio to the time of day. */
  get audioClock(): AudioClock {
    return this.#audioClock;
  }

  get control(): CaptionControl {
    return this.#hub;
  }

  /** Emits the language of the session that is wanted now. */
  get language$(): Observable<string> {
    return this.#hub.language$;
  }

  /** Notes that the service has refused the latest language: the one before stays in force. */
  languageRefused(): void {
    this.#hub.languageRefused();
  }

  /** Emits false while nothing is to be recognised: after `pause` or `kill`, and while the captions are off air. */
  get recognizes$(): Observable<boolean> {
    return this.#hub.recognizes$;
  }

  /** Sets whether the captions are on air. Off air, nothing is recognised. */
  setOnAir(isOnAir: boolean): void {
    this.#hub.setOnAir(isOnAir);
  }

  /** Returns an operator that follows the audio, and drops it while nothing is to be recognised. */
  audio(): MonoTypeOperatorFunction<AudioBlock> {
    const paused$ = this.#hub.recognizes$.pipe(map(recognizes => !recognizes));
    return pipe(this.#audioClock.follow(), pausable({ paused$ }));
  }

  /** Takes an event of the session. */
  take(event: LiveEvent): void {
    for (const shown of this.#hub.recognized(event)) this.#events$.next(shown);
  }

  /**
   * Ends the captions: what waits is shown in its time, or at once when the signal is aborted.
   *
   * @throws the error of a track that has failed
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#events$.complete();
    const ends = await this.#ended;
    await Promise.all(this.#tracks.flatMap(({ feeds }) => feeds.map(feed => feed.close(signal))));
    this.#hub.close();
    const failed = ends.find(end => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
