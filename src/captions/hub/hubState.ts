import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { phraseFault } from '../../protocol/vocabularies.ts';
import type { FinalEvent, LiveEvent } from '../../transcript/model/events.ts';
import type { ControlCommand, ControlState } from '../control/captionControl.ts';
import type { OperatorDecisions } from '../control/operatorDecisions.ts';
import { type TextRules, withRules } from '../text/textRules.ts';
import {
  beginAfter,
  handBack,
  initialTypedSpeech,
  nextRecognized,
  type TypedSpeech,
  takeOver,
  typePhrase,
} from './typedSpeech.ts';

/** The state of the captions of one source, as an operator controls them. Times are seconds of the audio. */
export interface HubState {
  readonly mode: ControlState['mode'];
  /** Time of the last command of an earlier run, while the captions are paused, off or typed since then. */
  readonly leftAtMs?: number | undefined;
  /** False while the captions are off air, when nothing is recognised. */
  readonly isOnAir: boolean;
  /** The language of the options. */
  readonly givenLanguage: string;
  /** The language in force. */
  readonly language: string;
  /** The latest request for a language, which a service may refuse. */
  readonly wanted: { readonly language: string };
  /** The latest language in which a service was ready. */
  readonly accepted: string;
  /** The rules of the options. */
  readonly givenRules: TextRules;
  /** The rules in force. */
  readonly rules: TextRules;
  /** Rules that an operator has added, which are among the rules. */
  readonly addedRules: TextRules;
  /** Phrases that were added to the vocabulary. */
  readonly addedPhrases: readonly string[];
  /** True between the first partial of an utterance and its final. */
  readonly isInUtterance: boolean;
  readonly typed: TypedSpeech;
  /** The last typed phrase, unless it was taken back. */
  readonly phrase?: FinalEvent | undefined;
  /** The times of pauses. */
  readonly pauses: readonly number[];
  /** Number of times that captions began anew after a kill. */
  readonly starts: number;
  readonly wasKilled: boolean;
  /** Speech before this time is not shown, as the captions were killed. */
  readonly killedUntilTs: number;
  readonly outputs: ControlState['outputs'];
}

/**
 * Returns the state before anything is recognised.
 *
 * @param given values of the options
 * @param decisions those of an operator in an earlier run
 * @param startTs position of the first frame in seconds
 * @throws InvalidArgumentError as {@link checkTextRules}
 */
export function startOfHub(
  given: Pick<HubState, 'givenLanguage' | 'givenRules' | 'outputs'>,
  decisions: Partial<OperatorDecisions>,
  startTs: number,
): HubState {
  const { mode = 'on', isTyping = false, wasKilled = false, addedPhrases = [] } = decisions;
  const { language = given.givenLanguage } = decisions;
  return {
    ...given,
    mode,
    leftAtMs: mode === 'on' && !isTyping ? undefined : decisions.atMs,
    isOnAir: true,
    language,
    wanted: { language },
    accepted: given.givenLanguage,
    rules: withRules(given.givenRules, decisions),
    addedRules: { ban: decisions.ban, replace: decisions.replace },
    addedPhrases,
    isInUtterance: false,
    typed: { ...initialTypedSpeech, isTyping },
    // The hole until an operator starts the captions.
    pauses: mode === 'on' ? [] : [startTs],
    starts: 0,
    wasKilled,
    killedUntilTs: 0,
  };
}

/** Returns the decisions of an operator up to a time, in milliseconds since 1970-01-01 UTC. */
export function decisionsOf(state: HubState, atMs: number): OperatorDecisions {
  const { mode, typed, language, givenLanguage, addedRules, addedPhrases, wasKilled } = state;
  return {
    atMs,
    mode,
    isTyping: typed.isTyping,
    ...(wasKilled && { wasKilled }),
    ...(language !== givenLanguage && { language }),
    ban: [...(addedRules.ban ?? [])],
    replace: [...(addedRules.replace ?? [])],
    addedPhrases: [...addedPhrases],
  };
}

/** Returns whether an event has text that was spoken before the captions were killed. */
export function isKilled({ killedUntilTs }: HubState, event: LiveEvent): boolean {
  return (event.type === 'partial' || event.type === 'final') && event.ts < killedUntilTs;
}

/** Seconds by which the hole of a pause may begin before the pause, as audio is on its way. */
const PAUSE_TOLERANCE_SECONDS = 1;

/** Returns whether a hole is a pause whose notice was shown. */
export function isKnownPause(
  { pauses }: HubState,
  { ts, endTs }: { readonly ts: number; readonly endTs: number },
): boolean {
  return pauses.some(pauseTs => pauseTs > ts - PAUSE_TOLERANCE_SECONDS && pauseTs < endTs);
}

export interface HubStep {
  readonly state: HubState;
  /** Typed events to show. */
  readonly events?: readonly LiveEvent[];
  /** An action of the outputs. */
  readonly action?: 'on' | 'off' | 'unsend';
}

/** The commands that change the state: another service changes the recognition only. */
export type HubCommand = Exclude<ControlCommand, { type: 'service' }>;

/**
 * Returns the step after a command of the operator.
 *
 * @param nowTs position of the audio in seconds
 * @throws InvalidArgumentError for a command that cannot be performed now
 */
export function onCommand(before: HubState, command: HubCommand, nowTs: number): HubStep {
  const { leftAtMs: _, ...state } = before;
  switch (command.type) {
    case 'start': {
      const begun = state.mode === 'off' ? begunAnew(state, nowTs) : state;
      return { state: { ...begun, mode: 'on' }, action: 'on' };
    }
    case 'pause':
      return { state: { ...withPause(state, nowTs), mode: state.mode === 'on' ? 'paused' : state.mode } };
    case 'kill':
      return { state: { ...withPause(state, nowTs), mode: 'off', wasKilled: true }, action: 'off' };
    case 'unsend':
      return { state, action: 'unsend' };
    case 'ban':
      return { state: withAddedRules(state, { ban: [command.text] }) };
    case 'replace':
      return { state: withAddedRules(state, { replace: [{ text: command.text, by: command.by }] }) };
    case 'undo':
      return { state: withoutRule(state, command) };
    case 'vocabulary':
      return { state: { ...state, addedPhrases: withPhrase(state.addedPhrases, command.text) } };
    case 'language': {
      const { language } = command;
      return { state: language === state.language ? state : { ...state, language, wanted: { language } } };
    }
    default:
      return onTyping(state, command, nowTs);
  }
}

function onTyping(
  state: HubState,
  command: Extract<ControlCommand, { type: 'take-over' | 'type' | 'retract' | 'hand-back' }>,
  nowTs: number,
): HubStep {
  const { typed, phrase } = state;
  const isTooEarly = command.type !== 'take-over' && !typed.isTyping;
  refuseIf(isTooEarly, 'Recognised text is shown. Take over first.');
  switch (command.type) {
    case 'take-over': {
      if (typed.isTyping) return { state };
      return { state: { ...state, typed: takeOver(typed, nowTs), phrase: undefined } };
    }
    case 'type': {
      const step = typePhrase(typed, command.text, nowTs);
      return {
        state: { ...state, typed: step.state, phrase: step.events.at(-1) ?? phrase },
        events: step.events,
      };
    }
    case 'retract': {
      if (!phrase) throw new InvalidArgumentError('There is no typed phrase to take back.');
      const events = [{ ...phrase, elements: [], takesBack: true }];
      const { opensParagraph } = phrase;
      return { state: { ...state, typed: { ...typed, opensParagraph }, phrase: undefined }, events };
    }
    case 'hand-back': {
      const step = handBack(typed, nowTs, phrase && true);
      return { state: { ...state, typed: step.state }, events: step.events };
    }
  }
}

/** Returns the step after an event of the recognition: none for text that typed text has replaced. */
export function onRecognized(state: HubState, event: LiveEvent): HubStep {
  const { state: typed, events } = nextRecognized(state.typed, event);
  if (event.type === 'connected') return { state: { ...state, typed, accepted: state.language }, events };
  if (event.type !== 'partial' && event.type !== 'final') return { state: { ...state, typed }, events };
  return { state: { ...state, typed, isInUtterance: event.type === 'partial' }, events };
}

function withAddedRules(state: HubState, added: TextRules): HubState {
  const { rules, addedRules } = state;
  return { ...state, rules: withRules(rules, added), addedRules: withRules(addedRules, added) };
}

/** Returns the state without a rule or phrase that an operator has added. @throws InvalidArgumentError for another one */
function withoutRule(state: HubState, { rule, text }: Extract<ControlCommand, { type: 'undo' }>): HubState {
  const { givenRules, addedRules, addedPhrases } = state;
  const added = { ban: addedRules.ban ?? [], replace: addedRules.replace ?? [], vocabulary: addedPhrases };
  const left = {
    ...added,
    [rule]: added[rule].filter(each => (typeof each === 'string' ? each : each.text) !== text),
  };
  refuseIf(left[rule].length === added[rule].length, `No operator has added a rule for '${oneLine(text)}'.`);
  const { vocabulary, ...rules } = left;
  return { ...state, addedRules: rules, addedPhrases: vocabulary, rules: withRules(givenRules, rules) };
}

/** Characters of all added phrases, which are in the address of a stream. */
const MAX_ADDED_CHARACTERS = 1000;

function withPhrase(added: readonly string[], text: string): readonly string[] {
  const fault = phraseFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(`A phrase ${fault}.`);
  const phrase = text.trim();
  if (added.includes(phrase)) return added;
  const phrases = [...added, phrase];
  if (phrases.join('').length <= MAX_ADDED_CHARACTERS) return phrases;
  throw new InvalidArgumentError(`All added phrases may have up to ${MAX_ADDED_CHARACTERS} characters.`);
}

/** Notes that the captions are on air, or not. */
export function withOnAir(state: HubState, isOnAir: boolean, nowTs: number): HubState {
  return { ...(isOnAir ? state : withPause(state, nowTs)), isOnAir };
}

/** Pauses that are remembered: the hole of a pause is reported soon after it. */
const MAX_PAUSES = 100;

function withPause(state: HubState, nowTs: number): HubState {
  return { ...state, pauses: [...state.pauses, nowTs].slice(-MAX_PAUSES) };
}

function begunAnew(state: HubState, nowTs: number): HubState {
  const { typed, starts } = state;
  return { ...state, typed: beginAfter(typed, nowTs), starts: starts + 1, killedUntilTs: nowTs };
}
