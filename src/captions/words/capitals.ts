import { type MonoTypeOperatorFunction, map, pipe, scan } from 'rxjs';
import type { LiveEvent, PartialEvent } from '../../transcript/model/events.ts';
import { channelOf, type PerChannel, withChannel } from '../../transcript/model/events.ts';
import { textOf } from '../../transcript/model/model.ts';
import { withCapital } from '../../transcript/text/words.ts';

/** Matches a text at whose end a sentence ends. */
export const SENTENCE_END = /[.!?…。！？؟۔।]["'”’»)\]]*$/u;

interface Sentences {
  readonly event?: LiveEvent;
  /** True for a channel whose last final ended within a sentence. */
  readonly goesOn: PerChannel<boolean>;
}

/** Gives the partials of services without capitals the certain ones: at the start of a sentence, and in English "I". */
export function withCapitals(language: string): MonoTypeOperatorFunction<LiveEvent> {
  return pipe(
    scan(
      ({ goesOn }: Sentences, event: LiveEvent): Sentences => {
        if (event.type === 'partial') {
          return { goesOn, event: capitalized(event, goesOn[channelOf(event)] === true, language) };
        }
        if (event.type !== 'final') return { goesOn, event };
        const ends = SENTENCE_END.test(textOf(event.elements));
        return { goesOn: withChannel(goesOn, channelOf(event), !ends), event };
      },
      { goesOn: [] },
    ),
    map(({ event }) => event!),
  );
}

function capitalized(partial: PartialEvent, goesOn: boolean, language: string): PartialEvent {
  const elements = partial.elements.map((element, index) => {
    const isCapital = (index === 0 && !goesOn) || (language === 'en' && /^i(?:['’]|$)/.test(element.value));
    return isCapital ? { ...element, value: withCapital(element.value) } : element;
  });
  return { ...partial, elements };
}
