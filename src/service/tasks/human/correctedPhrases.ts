import { englishPhrases } from '../../../engines/englishPhrases.ts';
import { phraseFault } from '../../../protocol/vocabularies.ts';
import { type Transcript, textOf } from '../../../transcript/model/model.ts';
import { wordKey } from '../../../transcript/text/tokens.ts';
import type { Corrections } from './finishHuman.ts';

/** Words with hyphens, which dictionaries lack: `ill-disposed`. */
const COMPOUNDS = /(?<![\p{L}\p{M}'’-])\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)+(?![\p{L}\p{M}'’-])/gu;

/** Maximum number of phrases of a job. */
const MAX_PHRASES = 200;

/**
 * Returns the unusual words and names that a person wrote in place of words of the machine, with the number of places, most
 * frequent first. English only; usual words are not returned, since the machine knows them. Blocks for some 0.1 s.
 */
export function correctedPhrases(work: Transcript, { written }: Corrections): ReadonlyMap<string, number> {
  const words = written.map(({ key, isNew }) => ({ key: key.replace(/'s$/, ''), isNew }));
  const places = Map.groupBy(words.keys(), at => words[at]!.key);
  const text = work.monologues.map(({ elements }) => textOf(elements)).join('\n\n');
  const phrases = new Set([...englishPhrases(text), ...(text.match(COMPOUNDS) ?? [])]);
  const counts = [...phrases].map(phrase => {
    const keys = phrase.split(' ').map(wordKey);
    const isCorrected = (at: number) => {
      const place = words.slice(at, at + keys.length);
      return place.some(({ isNew }) => isNew) && keys.every((key, index) => place[index]?.key === key);
    };
    return [phrase, places.get(keys[0]!)?.filter(isCorrected).length ?? 0] as const;
  });
  const found = counts.filter(([phrase, count]) => count > 0 && phraseFault(phrase) === undefined);
  return new Map(found.toSorted(([, one], [, other]) => other - one).slice(0, MAX_PHRASES));
}
