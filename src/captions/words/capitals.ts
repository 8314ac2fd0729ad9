import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/events.ts';
import { textOf } from '../../transcript/model/model.ts';
import { withCapital } from '../../transcript/text/words.ts';
import { STABILIZER_DEFAULTS } from './agreement.ts';

/** Matches a text at whose end a sentence ends. */
export const SENTENCE_END = /[.!?…。！？؟۔।]["'”’»)\]]*$/u;

/**
 * Gives the partial of a service without capitals the certain ones: at the start of a sentence, and in English "I".
 *
 * @param finals the latest ones
 */
export function withCapitals(
  partial: PartialEvent,
  finals: readonly FinalEvent[],
  language: string = STABILIZER_DEFAULTS.language,
): PartialEvent {
  const before = finals.findLast(final => channelOf(final) === channelOf(partial));
  const opens = !before || SENTENCE_END.test(textOf(before.elements));
  const elements = partial.elements.map((element, index) => {
    const isCapital = (index === 0 && opens) || (language === 'en' && /^i(?:['’]|$)/.test(element.value));
    return isCapital ? { ...element, value: withCapital(element.value) } : element;
  });
  return { ...partial, elements };
}
