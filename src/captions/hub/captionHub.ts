import { BehaviorSubject, distinctUntilChanged, map, type Observable, skip } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import type { CaptionControl, ControlCommand, ControlState } from '../control/captionControl.ts';
import type { TextRules } from '../text/textRules.ts';
import type { AudioClock } from './audioClock.ts';
import {
  type FeedAction,
  type HubState,
  onCommand,
  onRecognized,
  startOfHub,
  withOnAir,
} from './hubState.ts';
import type { OutputFeed } from './outputFeed.ts';

export interface CaptionHubOptions {
  /** Outputs of the source, with those of its hooks. */
  readonly feeds: readonly OutputFeed[];
  /** ISO 639-1 code of the language of the first session. */
  readonly language: string;
  /** Rules for the text at the start. Default: none. */
  readonly rules?: TextRules;
  readonly audioClock: Pick<AudioClock, 'nowTs'>;
  readonly clock: Clock;
  /** Shows the events of what is typed. */
  readonly onTyped: (event: LiveEvent) => void;
}

/** Milliseconds between two reports of the outputs. */
const REPORT_MS = 1000;

/** Seconds by which the hole of a pause may begin before the pause, as audio is on its way. */
const PAUSE_TOLERANCE_SECONDS = 1;

/**
 * The captions of one source under the control of a person: whether it is recognised, what is shown, and what is typed in
 * its place.
 */
export class CaptionHub implements CaptionControl {
  readonly #options: CaptionHubOptions;
  readonly #state$: BehaviorSubject<HubState>;
  readonly #stopReports: () => Promise<void>;

  constructor(options: CaptionHubOptions) {
    const { language, rules = {}, feeds, clock } = options;
    this.#options = options;
    const outputs = feeds.map(feed => feed.report());
    this.#state$ = new BehaviorSubject(startOfHub(language, { rules, outputs }));
    this.#stopReports = every(REPORT_MS, async () => this.#report(), { clock, onError: () => {} });
  }

  get state$(): Observable<ControlState> {
    return this.#state$.pipe(distinctUntilChanged(looksTheSame), map(controlState));
  }

  /** Emits false while nothing is to be recognised: after `pause` or `kill`, and while the captions are off air. */
  get recognizes$(): Observable<boolean> {
    return this.#changes(({ mode, isOnAir }) => mode === 'on' && isOnAir);
  }

  /** Emits true while the operator has paused the captions. */
  get paused$(): Observable<boolean> {
    return this.#changes(({ mode }) => mode === 'paused');
  }

  /** Emits when captions begin anew after a kill. */
  get newStart$(): Observable<unknown> {
    return this.#changes(({ starts }) => starts).pipe(skip(1));
  }

  /** Emits the language of the first session, and each other one that is wanted. */
  get language$(): Observable<string> {
    return this.#changes(({ wanted }) => wanted).pipe(map(({ language }) => language));
  }

  /** Emits the rules for the text, now and at each change. */
  get rules$(): Observable<TextRules> {
    return this.#changes(({ rules }) => rules);
  }

  /** Returns whether an event has text that was spoken before the captions were killed. */
  isKilled(event: LiveEvent): boolean {
    const { killedUntilTs } = this.#state$.value;
    return (event.type === 'partial' || event.type === 'final') && event.ts < killedUntilTs;
  }

  /** Returns whether a hole is a pause that has had its notice. */
  isKnownPause({ ts, endTs }: { readonly ts: number; readonly endTs: number }): boolean {
    return this.#state$.value.pauses.some(
      pauseTs => pauseTs > ts - PAUSE_TOLERANCE_SECONDS && pauseTs < endTs,
    );
  }

  /** Notes that the service has refused the latest language: the one before stays in force. */
  languageRefused(): void {
    const state = this.#state$.value;
    this.#state$.next({ ...state, language: state.accepted });
  }

  /** Sets whether the captions are on air. Off air, nothing is recognised. */
  setOnAir(isOnAir: boolean): void {
    this.#state$.next(withOnAir(this.#state$.value, isOnAir, this.#options.audioClock.nowTs));
  }

  /** Returns the events to show for a recognised one: none for text in whose place something was typed. */
  recognized(event: LiveEvent): readonly LiveEvent[] {
    const { state, events } = onRecognized(this.#state$.value, event, this.#options.audioClock.nowTs);
    this.#state$.next(state);
    return events;
  }

  /** Gives a step to outputs. While captions are paused, words only end what was shown before. */
  show(step: CaptionStep, feeds: readonly OutputFeed[]): void {
    const isHidden = this.#state$.value.mode !== 'on' && step.type === 'words';
    for (const feed of feeds) feed.take(isHidden ? { ...step, added: [], tail: [] } : step);
  }

  perform(command: ControlCommand): void {
    const { feeds, audioClock, onTyped } = this.#options;
    const view = { nowTs: audioClock.nowTs, taken: feeds.map(feed => feed.taken) };
    const { state, events, action } = onCommand(this.#state$.value, command, view);
    this.#state$.next(state);
    if (action) this.#performOnFeeds(action);
    for (const event of events) onTyped(event);
    this.#report();
  }

  /** Ends the reports. */
  close(): void {
    void this.#stopReports();
    this.#state$.complete();
  }

  #performOnFeeds(action: FeedAction): void {
    for (const [index, feed] of this.#options.feeds.entries()) {
      if (action.type === 'retract') feed.retract(action.before[index]!);
      else feed[action.type]();
    }
  }

  #report(): void {
    const outputs = this.#options.feeds.map(feed => feed.report());
    this.#state$.next({ ...this.#state$.value, outputs });
  }

  #changes<Value>(select: (state: HubState) => Value): Observable<Value> {
    return this.#state$.pipe(map(select), distinctUntilChanged());
  }
}

/** Returns whether an operator sees no difference, but for the lag, which is shown with the next report. */
function looksTheSame(a: HubState, b: HubState): boolean {
  return (
    a.mode === b.mode &&
    a.typed.isTyping === b.typed.isTyping &&
    a.language === b.language &&
    a.rules === b.rules &&
    a.outputs === b.outputs
  );
}

function controlState({ mode, typed, language, rules, outputs, lagSeconds }: HubState): ControlState {
  return {
    mode,
    isTyping: typed.isTyping,
    language,
    banned: rules.ban ?? [],
    replaced: rules.replace ?? [],
    outputs,
    lagSeconds,
  };
}
