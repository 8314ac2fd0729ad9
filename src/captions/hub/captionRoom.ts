import { isDeepStrictEqual } from 'node:util';
import {
  BehaviorSubject,
  debounce,
  distinctUntilChanged,
  filter,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  of,
  pipe,
  Subject,
  share,
  skip,
  skipWhile,
} from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import { pausable } from '../../audio/pausable.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf, RxscribeError, refuseIf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { every } from '../../base/wait/every.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import type { CaptionControl, ControlCommand, ControlState } from '../control/captionControl.ts';
import type { OperatorDecisions } from '../control/operatorDecisions.ts';
import { type TextRules, textRules } from '../text/textRules.ts';
import { type AudioClock, createAudioClock } from './audioClock.ts';
import { type CaptionTrack, trackReports, trackSteps } from './captionTrack.ts';
import {
  decisionsOf,
  type HubState,
  isKilled,
  isKnownPause,
  onCommand,
  onRecognized,
  startOfHub,
  withOnAir,
} from './hubState.ts';
import type { OutputFeed } from './outputFeed.ts';

/** Milliseconds between two reports of the outputs. */
const REPORT_MS = 1000;

/** Notices for viewers of a text whose hook fails. */
const TEXT_INTERRUPTED = 'This text is interrupted.';
const TRANSLATION_INTERRUPTED = 'The translation is interrupted.';

type Service = Extract<ControlCommand, { type: 'service' }>['service'];

/** Commands without effect on a later run. */
const MOMENTARY: ReadonlySet<ControlCommand['type']> = new Set(['type', 'retract', 'unsend']);

export interface CaptionRoomOptions {
  /** The tracks of the recognised text and of each hook. */
  readonly tracks: readonly CaptionTrack[];
  /** ISO 639-1 code of the first session. */
  readonly language: string;
  /** Emits true while the service is away: outputs show a notice. Emits at once. Default: it is never away. */
  readonly outage$?: Observable<boolean>;
  /** Rules for the text, which an operator can extend. Default: none. */
  readonly rules?: TextRules;
  /** False when an operator cannot add phrases to the vocabulary. Default true. */
  readonly takesPhrases?: boolean;
  /** True when an operator can change to another service. Default false. */
  readonly hasStandby?: boolean;
  /**
   * Resolves when the service takes a language; the captions go on in the language before if it rejects. Default: a language
   * that is refused ends the session, and {@link CaptionRoom.languageRefused} returns to the language before.
   */
  readonly tryLanguage?: (language: string) => Promise<void>;
  /** Decisions of an operator in an earlier run, with which this one begins. Default: none. */
  readonly decisions?: OperatorDecisions;
  /** Saves the decisions of an operator for a later run, after each new decision. Default: they are not saved. */
  readonly keep?: (decisions: OperatorDecisions) => Promise<void>;
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
  /** Relation of positions in the audio to the time of day. */
  readonly audioClock: AudioClock;
  readonly control: CaptionControl;
  readonly #feeds: readonly OutputFeed[];
  readonly #state$: BehaviorSubject<HubState>;
  readonly #events$ = new Subject<LiveEvent>();
  readonly #service$ = new Subject<Service>();
  readonly #options: CaptionRoomOptions;
  /** Resolves when the latest decisions are saved. */
  #kept: Promise<void> = Promise.resolve();
  readonly #stopReports: () => Promise<void>;
  /** Resolves when all tracks have ended. */
  readonly #ended: Promise<readonly PromiseSettledResult<void>[]>;

  constructor(options: CaptionRoomOptions) {
    namedOptions('CaptionRoomOptions', options);
    const { tracks, language, rules = {}, channelCount, startTs = 0, clock = systemClock } = options;
    const { outage$ = of(false), decisions = {} } = options;
    this.#options = options;
    this.#feeds = tracks.flatMap(track => track.feeds);
    this.audioClock = createAudioClock(clock, startTs);
    const given = { givenLanguage: language, givenRules: rules, outputs: tracks.flatMap(trackReports) };
    this.#state$ = new BehaviorSubject(startOfHub(given, decisions, startTs));
    this.#stopReports = every(REPORT_MS, async () => this.#report(), { clock, onError: () => {} });
    this.control = {
      state$: this.#state$.pipe(map(controlState), distinctUntilChanged<ControlState>(isDeepStrictEqual)),
      perform: command => this.#perform(command),
    };
    const rules$ = this.#changes(state => state.rules);
    const events$ = this.#events$.pipe(textRules(rules$), share());
    const shared = {
      pauses: [outage$, this.#changes(({ mode }) => mode === 'paused')],
      newStart$: this.#changes(({ starts }) => starts).pipe(skip(1)),
      isKilled: (event: LiveEvent) => isKilled(this.#state$.value, event),
      isKnownPause: (hole: { ts: number; endTs: number }) => isKnownPause(this.#state$.value, hole),
      spokenAtMs: (ts: number) => this.audioClock.wallTimeMs(ts),
      channelCount,
      clock,
    };
    const ended = tracks.map(({ hook, feeds, names, profile, language: own = language }) => {
      // A banned word must not come back by a hook.
      const text$ = hook ? events$.pipe(hook, textRules(rules$)) : events$;
      const givenUpNotice = hook && (own === language ? TEXT_INTERRUPTED : TRANSLATION_INTERRUPTED);
      const steps$ = trackSteps(text$, { ...shared, givenUpNotice, profile, language: own, names });
      return steps$.forEach(step => {
        this.#show(step, feeds);
      });
    });
    this.#ended = Promise.allSettled(ended);
    if (this.#state$.value.mode === 'off') for (const feed of this.#feeds) feed.off();
  }

  /** Emits the language of the first session, and each language that an operator requests. */
  get language$(): Observable<string> {
    return this.#changes(({ wanted }) => wanted).pipe(map(({ language }) => language));
  }

  /** Records that the service refused the latest language: the previous language stays in force. */
  languageRefused(): void {
    const state = this.#state$.value;
    if (state.language === state.accepted) return;
    this.#state$.next({ ...state, language: state.accepted });
    void this.#keepDecisions().catch(() => {});
  }

  /** Emits whether audio is to be recognised: false after `pause` or `kill`, and while the captions are off air. */
  get recognizes$(): Observable<boolean> {
    return this.#changes(({ mode, isOnAir }) => mode === 'on' && isOnAir);
  }

  /** Emits all added phrases after each addition, between two utterances, as a new session must not cut a word. */
  get addedPhrases$(): Observable<readonly string[]> {
    const between$ = this.#state$.pipe(filter(({ isInUtterance }) => !isInUtterance));
    return this.#changes(({ addedPhrases }) => addedPhrases).pipe(
      skipWhile(phrases => phrases.length === 0 || this.#options.takesPhrases === false),
      debounce(() => between$),
    );
  }

  /** Emits the service that an operator wants, after each such command. */
  get service$(): Observable<Service> {
    return this.#service$;
  }

  /** Sets whether the captions are on air. Off air, nothing is recognised. */
  setOnAir(isOnAir: boolean): void {
    this.#state$.next(withOnAir(this.#state$.value, isOnAir, this.audioClock.nowTs));
  }

  /** Returns an operator that follows the audio, and drops it while nothing is to be recognised. */
  audio(): MonoTypeOperatorFunction<AudioBlock> {
    const paused$ = this.recognizes$.pipe(map(recognizes => !recognizes));
    return pipe(this.audioClock.follow(), pausable({ paused$ }));
  }

  /** Takes an event of the session. Text that typed text has replaced is not shown. */
  take(event: LiveEvent): void {
    const { state, events = [] } = onRecognized(this.#state$.value, event);
    this.#state$.next(state);
    for (const shown of events) this.#events$.next(shown);
  }

  /**
   * Ends the captions. Each waiting text is shown in its time, or at once when the signal is aborted.
   *
   * @throws the error of a track that has failed
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#events$.complete();
    const ends = await this.#ended;
    await Promise.all(this.#feeds.map(feed => feed.close(signal)));
    await this.#kept.catch(() => {});
    void this.#stopReports();
    this.#state$.complete();
    const failed = ends.find(end => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Passes a step to the outputs. While captions are paused, words only complete earlier text. */
  #show(step: CaptionStep, feeds: readonly OutputFeed[]): void {
    const isHidden = this.#state$.value.mode !== 'on' && step.type === 'words';
    const spokenAtMs = (ts: number) => this.audioClock.wallTimeMs(ts);
    for (const feed of feeds) feed.take(isHidden ? { ...step, added: [], tail: [] } : step, spokenAtMs);
  }

  async #perform(command: ControlCommand): Promise<void> {
    refuseIf(
      command.type === 'vocabulary' && this.#options.takesPhrases === false,
      'The vocabulary is stored at the service, and takes no more phrases.',
    );
    if (command.type === 'service') {
      refuseIf(!this.#options.hasStandby, 'There is no standby. Set one by --standby.');
      return this.#service$.next(command.service);
    }
    const { tryLanguage } = this.#options;
    if (command.type === 'language' && tryLanguage) await tryLanguage(command.language);
    const { state, events = [], action } = onCommand(this.#state$.value, command, this.audioClock.nowTs);
    this.#state$.next(state);
    if (action) for (const feed of this.#feeds) feed[action]();
    for (const event of events) this.#events$.next(event);
    this.#report();
    if (!MOMENTARY.has(command.type)) await this.#keepDecisions();
  }

  /** Saves the present decisions, after the earlier ones. */
  #keepDecisions(): Promise<void> {
    const { keep, clock = systemClock } = this.#options;
    const decisions = decisionsOf(this.#state$.value, clock.wallTime());
    this.#kept = this.#kept.catch(() => {}).then(() => keep?.(decisions));
    return this.#kept.catch(cause => {
      const message = `The command is performed, but a restart would undo it. ${messageOf(cause)}`;
      throw new RxscribeError('store', message, { cause });
    });
  }

  #report(): void {
    this.#state$.next({ ...this.#state$.value, outputs: this.#options.tracks.flatMap(trackReports) });
  }

  #changes<Value>(select: (state: HubState) => Value): Observable<Value> {
    return this.#state$.pipe(map(select), distinctUntilChanged());
  }
}

function controlState({ typed, rules, ...state }: HubState): ControlState {
  const { mode, leftAtMs, language, addedRules, addedPhrases, outputs } = state;
  return {
    mode,
    ...(leftAtMs !== undefined && { leftAtMs }),
    isTyping: typed.isTyping,
    language,
    banned: rules.ban ?? [],
    replaced: rules.replace ?? [],
    addedRules,
    addedPhrases,
    outputs,
  };
}
