import { dequal } from 'dequal/lite';
import {
  defer,
  isObservable,
  map,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  withLatestFrom,
} from 'rxjs';
import { refuseIf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { FinalEvent, LiveEvent, PartialEvent, RepairEvent } from '../../transcript/model/events.ts';
import { channelOf, type PerChannel, withChannel } from '../../transcript/model/events.ts';
import { withText } from '../../transcript/model/eventText.ts';
import type { TranscriptElement } from '../../transcript/model/model.ts';
import { applyPhrases, compilePhrases, type Phrases } from './phrases.ts';
import { elementsOfList, keysOf, wordListOf } from './wordList.ts';

/** Another text for a word or phrase. */
export interface Replacement {
  readonly text: string;
  readonly by: string;
}

/** Rules for the text of captions. */
export interface TextRules {
  /** Words and phrases that are left out. */
  readonly ban?: readonly string[];
  /** Words and phrases that are shown as another text. */
  readonly replace?: readonly Replacement[];
  /**
   * Profane words of English are shown, shown with `*` for all letters but the first and the last, or left out. A replacement is
   * shown as it is. Default `show`.
   */
  readonly profanity?: 'show' | 'mask' | 'drop';
}

/** Defaults of {@link TextRules}. */
export const TEXT_RULES_DEFAULTS = {
  ban: [],
  replace: [],
  profanity: 'show',
} as const satisfies Required<TextRules>;

/** Maximum number of words of a phrase, and so of words held back at the end of a partial. */
const MAX_PHRASE_WORDS = 20;
/** Maximum number of phrases. */
const MAX_PHRASES = 10_000;

/**
 * Applies rules to the text of events, before anything is shown.
 *
 * Phrases match whole words of one channel, in any case, with any punctuation and hyphens between them, and with a possessive
 * 's at the end; a sentence keeps its capital. Times are those of the replaced words. Words at the end of a partial that may
 * begin a phrase are held back, so that partials and finals agree. A banned phrase across two utterances is removed too, if the
 * first utterance is final before the second begins; a replaced phrase is not found there.
 *
 * Changed rules apply to later events: shown text stays.
 *
 * @param rules rules, or a source of them that emits at once
 * @throws InvalidArgumentError as {@link checkTextRules}
 * @example
 * const replace = [{ text: 'speech to text', by: 'rxscribe' }];
 * events$.pipe(textRules({ replace, profanity: 'mask' }), captionSteps()).subscribe(step => console.log(step));
 */
export function textRules(rules: TextRules | Observable<TextRules>): OperatorFunction<LiveEvent, LiveEvent> {
  if (!isObservable(rules)) checkTextRules(rules);
  const phrases$ = (isObservable(rules) ? rules : of(rules)).pipe(
    map(({ ban = [], replace = [], profanity = TEXT_RULES_DEFAULTS.profanity }) =>
      compilePhrases({ ban, replace, profanity }),
    ),
  );
  return events$ =>
    defer(() =>
      events$.pipe(
        withLatestFrom(phrases$),
        scan((state: RuledState, [event, phrases]) => nextRuled(state, event, phrases), initialState),
        map(({ event }) => event!),
      ),
    );
}

/** Adds rules, each in place of that for the same phrase. @throws InvalidArgumentError as {@link checkTextRules} */
export function withRules(rules: TextRules, { ban = [], replace = [] }: TextRules): TextRules {
  const keyOf = (text: string) => keysOf(text).join(' ');
  const keys = new Set([...ban, ...replace.map(({ text }) => text)].map(keyOf));
  const all = {
    ...rules,
    ban: [...(rules.ban ?? []).filter(text => !keys.has(keyOf(text))), ...ban],
    replace: [...(rules.replace ?? []).filter(({ text }) => !keys.has(keyOf(text))), ...replace],
  };
  checkTextRules(all);
  return all;
}

/** @throws InvalidArgumentError for a phrase without a word or with more than 20, and for two rules for one phrase */
export function checkTextRules({ ban = [], replace = [] }: TextRules): void {
  const phrases = [...ban, ...replace.map(({ text }) => text)];
  const { length } = phrases;
  refuseIf(length > MAX_PHRASES, `There are ${length} text rules: at most ${MAX_PHRASES} are possible.`);
  const seen = new Set<string>();
  for (const phrase of phrases) {
    const keys = keysOf(phrase);
    const name = `Text rule '${oneLine(phrase)}'`;
    const words = `${keys.length} words: at most ${MAX_PHRASE_WORDS} are possible`;
    refuseIf(keys.length === 0, `${name} has no word. Give a word or phrase.`);
    refuseIf(keys.length > MAX_PHRASE_WORDS, `${name} has ${words}.`);
    refuseIf(seen.has(keys.join(' ')), `There are two text rules for '${oneLine(phrase)}'. Remove one.`);
    seen.add(keys.join(' '));
  }
  for (const { text, by } of replace) {
    const name = `Text rule '${oneLine(text)}'`;
    refuseIf(by.trim() === '', `${name} has an empty replacement. Ban the word to leave it out.`);
  }
}

/** Number of remembered finals: a repeated final must get the same text again, or it would be shown twice. */
const REMEMBERED_FINALS = 8;

interface RuledState {
  readonly event?: LiveEvent;
  readonly finals: readonly { readonly heard: FinalEvent; readonly ruled: FinalEvent }[];
  /** Normalised last words of the final text, by channel. */
  readonly ends: PerChannel<{ readonly endTs: number; readonly keys: readonly string[] }>;
}

const initialState: RuledState = { finals: [], ends: [] };

function nextRuled(state: RuledState, event: LiveEvent, phrases: Phrases): RuledState {
  switch (event.type) {
    case 'partial':
      return { ...state, event: ruledPartial(state, event, phrases) };
    case 'final':
      return withFinal(state, event, phrases);
    case 'repair':
      return { ...state, event: ruledRepair(event, phrases) };
    default:
      return { ...state, event };
  }
}

function ruledPartial(state: RuledState, event: PartialEvent, phrases: Phrases): PartialEvent {
  const elements = ruled(event.elements, phrases, { before: keysBefore(state, event), isOpen: true });
  if (elements === event.elements) return event;
  return withText({ ...event, elements: elements.filter(element => element.type === 'text') });
}

function withFinal(state: RuledState, event: FinalEvent, phrases: Phrases): RuledState {
  const known = state.finals.find(({ heard }) => dequal(heard, event));
  if (known) return { ...state, event: known.ruled };
  const elements = ruled(event.elements, phrases, { before: keysBefore(state, event), isOpen: false });
  const final = elements === event.elements ? event : withText({ ...event, elements });
  const finals = [...state.finals, { heard: event, ruled: final }].slice(-REMEMBERED_FINALS);
  return { event: final, finals, ends: endsAfter(state, final) };
}

function endsAfter({ ends }: RuledState, final: FinalEvent): RuledState['ends'] {
  const channel = channelOf(final);
  const before = ends[channel];
  if (before && final.endTs <= before.endTs) return ends;
  const keys = [...(before?.keys ?? []), ...wordListOf(final.elements).words.map(({ key }) => key)];
  return withChannel(ends, channel, { endTs: final.endTs, keys: keys.slice(1 - MAX_PHRASE_WORDS) });
}

function keysBefore({ ends }: RuledState, event: PartialEvent | FinalEvent): readonly string[] {
  const before = ends[channelOf(event)];
  return before && before.endTs < event.endTs ? before.keys : [];
}

function ruledRepair(event: RepairEvent, phrases: Phrases): RepairEvent {
  const monologues = event.monologues.map(turn => ({
    ...turn,
    elements: ruled(turn.elements, phrases, { before: [], isOpen: false }),
  }));
  return withText({ ...event, monologues });
}

function ruled(
  elements: readonly TranscriptElement[],
  phrases: Phrases,
  options: { readonly before: readonly string[]; readonly isOpen: boolean },
): readonly TranscriptElement[] {
  const list = wordListOf(elements);
  const after = applyPhrases(list, phrases, options);
  return after === list ? elements : elementsOfList(after);
}
