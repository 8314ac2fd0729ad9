import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable, Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import type { CaptionControl, ControlCommand, ControlState } from '../control/captionControl.ts';
import { type TextRules, withBan, withReplacement } from '../text/textRules.ts';
import type { AudioClock } from './audioClock.ts';
import type { OutputFeed } from './outputFeed.ts';
import {
  beginAfter,
  handBack,
  initialTypedSpeech,
  nextRecognized,
  type TypedStep,
  takeOver,
  typePhrase,
} from './typedSpeech.ts';

export interface CaptionHubOptions {
  /** Outputs of the source, with those of its hooks. */
  readonly feeds: readonly OutputFeed[];
  /** ISO 639-1 code of the language of the first session. */
  readonly language: string;
  /** Rules for the text at the start. Default: none. */
  readonly rules?: TextRules;
  readonly audioClock: Pick<AudioClock, 'nowTs'>;
  readonly clock: Clock;
}

/** Milliseconds between two reports of the outputs. */
const REPORT_MS = 1000;

/**
 * The captions of one source under the control of a person: whether it is recognised, what is shown, and what is typed in
 * its place.
 */
export class CaptionHub implements CaptionControl {
  readonly state$: Observable<ControlState>;
  readonly #options: CaptionHubOptions;
  readonly #mode$ = new BehaviorSubject<ControlState['mode']>('on');
  readonly #onAir$ = new BehaviorSubject(true);
  /** The language of the sessions from now on, which a service may refuse. */
  readonly #wantedLanguage$: BehaviorSubject<string>;
  /** The language in force. */
  readonly #language$: BehaviorSubject<string>;
  readonly #rules$: BehaviorSubject<TextRules>;
  readonly #reports$: BehaviorSubject<ControlState['outputs']>;
  readonly #isTyping$ = new BehaviorSubject(false);
  readonly #newStart$ = new Subject<void>();
  readonly #timer: Timer;
  readonly #pauses: { readonly ts: number }[] = [];
  #typed = initialTypedSpeech;
  #lagSeconds: number | undefined;
  #acceptedLanguage: string;
  /** Speech before this time is shown no more, as the captions were killed after it. Seconds. */
  #killedUntilTs = 0;
  #onTyped: (event: LiveEvent) => void = () => {};
  /** Numbers of the steps that each output had before the last typed phrase. */
  #beforePhrase: readonly number[] | undefined;

  constructor(options: CaptionHubOptions) {
    this.#options = options;
    this.#wantedLanguage$ = new BehaviorSubject(options.language);
    this.#language$ = new BehaviorSubject(options.language);
    this.#acceptedLanguage = options.language;
    this.#rules$ = new BehaviorSubject(options.rules ?? {});
    this.#reports$ = new BehaviorSubject(this.#reports());
    this.#timer = createTimer(options.clock);
    this.state$ = combineLatest({
      mode: this.#mode$,
      isTyping: this.#isTyping$,
      language: this.#language$,
      rules: this.#rules$,
      outputs: this.#reports$,
    }).pipe(
      map(({ rules, ...state }) => ({
        ...state,
        banned: rules.ban ?? [],
        replaced: rules.replace ?? [],
        ...this.#lag(),
      })),
    );
    this.#reportAgain();
  }

  /** Emits false while nothing is to be recognised: after `pause` or `kill`, and while the captions are off air. */
  get recognizes$(): Observable<boolean> {
    return combineLatest([this.#mode$, this.#onAir$]).pipe(
      map(([mode, isOnAir]) => mode === 'on' && isOnAir),
      distinctUntilChanged(),
    );
  }

  /** Emits true while the operator has paused the captions. */
  get paused$(): Observable<boolean> {
    return this.#mode$.pipe(
      map(mode => mode === 'paused'),
      distinctUntilChanged(),
    );
  }

  /** Emits when captions begin anew after a kill. */
  get newStart$(): Observable<void> {
    return this.#newStart$;
  }

  /** Returns whether an event has text that was spoken before the captions were killed. */
  isKilled(event: LiveEvent): boolean {
    return (event.type === 'partial' || event.type === 'final') && event.ts < this.#killedUntilTs;
  }

  /** Emits the language of the first session, and each other one that is wanted. */
  get language$(): Observable<string> {
    return this.#wantedLanguage$;
  }

  /** Notes that the service has refused the latest language: the one before stays in force. */
  languageRefused(): void {
    this.#language$.next(this.#acceptedLanguage);
  }

  /** Emits the rules for the text, now and at each change. */
  get rules$(): Observable<TextRules> {
    return this.#rules$;
  }

  /** Sets whether the captions are on air. Off air, nothing is recognised. */
  setOnAir(isOnAir: boolean): void {
    if (!isOnAir) this.#notePause();
    this.#onAir$.next(isOnAir);
  }

  /** Connects the events of what is typed. */
  onTyped(listener: (event: LiveEvent) => void): void {
    this.#onTyped = listener;
  }

  /** Returns the events to show for a recognised one: none for text in whose place something was typed. */
  recognized(event: LiveEvent): readonly LiveEvent[] {
    if (event.type === 'partial' || event.type === 'final') {
      this.#lagSeconds = Math.max(0, this.#options.audioClock.nowTs - event.endTs);
    } else if (event.type === 'connected') this.#acceptedLanguage = this.#language$.value;
    const { state, events } = nextRecognized(this.#typed, event);
    this.#typed = state;
    return events;
  }

  /** Returns whether a hole is a pause that has had its notice. */
  isKnownPause({ ts, endTs }: { readonly ts: number; readonly endTs: number }): boolean {
    return this.#pauses.some(pause => pause.ts > ts - PAUSE_TOLERANCE_SECONDS && pause.ts < endTs);
  }

  /** Gives a step to outputs. While captions are paused, words only end what was shown before. */
  show(step: CaptionStep, feeds: readonly OutputFeed[]): void {
    const isHidden = this.#mode$.value !== 'on' && step.type === 'words';
    for (const feed of feeds) feed.take(isHidden ? { ...step, added: [], tail: [] } : step);
  }

  perform(command: ControlCommand): void {
    switch (command.type) {
      case 'start':
        if (this.#mode$.value === 'off') this.#forget();
        for (const feed of this.#options.feeds) feed.on();
        this.#mode$.next('on');
        break;
      case 'pause':
        this.#notePause();
        if (this.#mode$.value === 'on') this.#mode$.next('paused');
        break;
      case 'kill':
        this.#notePause();
        for (const feed of this.#options.feeds) feed.off();
        this.#mode$.next('off');
        break;
      case 'unsend':
        for (const feed of this.#options.feeds) feed.unsend();
        break;
      case 'ban':
        this.#rules$.next(withBan(this.#rules$.value, command.text));
        break;
      case 'replace':
        this.#rules$.next(withReplacement(this.#rules$.value, command.text, command.by));
        break;
      case 'language':
        this.#changeLanguage(command.language);
        break;
      default:
        this.#performTyping(command);
    }
    this.#reports$.next(this.#reports());
  }

  /** Ends the reports. */
  close(): void {
    this.#timer.stop();
    const language = [this.#wantedLanguage$, this.#language$];
    for (const subject of [this.#mode$, ...language, this.#rules$, this.#reports$, this.#isTyping$]) {
      subject.complete();
    }
    this.#onAir$.complete();
    this.#newStart$.complete();
  }

  #changeLanguage(language: string): void {
    if (language === this.#language$.value) return;
    this.#language$.next(language);
    this.#wantedLanguage$.next(language);
  }

  #performTyping(
    command: Extract<ControlCommand, { type: 'take-over' | 'type' | 'retract' | 'hand-back' }>,
  ): void {
    const { nowTs } = this.#options.audioClock;
    if (command.type !== 'take-over' && !this.#typed.isTyping) {
      throw new InvalidArgumentError(`Command '${command.type}' requires 'take-over' first.`);
    }
    switch (command.type) {
      case 'take-over':
        if (!this.#typed.isTyping) this.#addTyped(takeOver(this.#typed));
        break;
      case 'type':
        this.#beforePhrase = this.#options.feeds.map(feed => feed.taken);
        this.#addTyped(typePhrase(this.#typed, command.text, nowTs));
        break;
      case 'retract':
        this.#retract();
        break;
      case 'hand-back':
        this.#typed = handBack(this.#typed, nowTs);
    }
    this.#isTyping$.next(this.#typed.isTyping);
  }

  #addTyped({ state, events }: TypedStep): void {
    this.#typed = state;
    for (const event of events) this.#onTyped(event);
  }

  #retract(): void {
    const before = this.#beforePhrase;
    this.#beforePhrase = undefined;
    if (!before) throw new InvalidArgumentError('There is no typed phrase to take back.');
    for (const [index, feed] of this.#options.feeds.entries()) feed.retract(before[index]!);
  }

  #forget(): void {
    this.#killedUntilTs = this.#options.audioClock.nowTs;
    this.#typed = beginAfter(this.#typed, this.#killedUntilTs);
    this.#newStart$.next();
  }

  #notePause(): void {
    this.#pauses.push({ ts: this.#options.audioClock.nowTs });
    if (this.#pauses.length > MAX_PAUSES) this.#pauses.shift();
  }

  #reports(): ControlState['outputs'] {
    return this.#options.feeds.map(feed => feed.report());
  }

  #lag(): Pick<ControlState, 'lagSeconds'> {
    return this.#lagSeconds === undefined ? {} : { lagSeconds: this.#lagSeconds };
  }

  #reportAgain(): void {
    this.#timer.start(REPORT_MS, () => {
      this.#reports$.next(this.#reports());
      this.#reportAgain();
    });
  }
}

/** Seconds by which the hole of a pause may begin before the pause, as audio is on its way. */
const PAUSE_TOLERANCE_SECONDS = 1;
/** Pauses that are remembered: the hole of a pause is reported soon after it. */
const MAX_PAUSES = 100;
