import type { GrammarDecoder, HeardLabel } from './grammarDecoder.ts';
import type { HeardSound, HeardTextWord } from './heardRuns.ts';
import { plainGrammar } from './plainGrammar.ts';
import type { SayableWord } from './sayableWords.ts';
import { soundsAsSaid } from './soundsAsSaid.ts';
import { textGrammar } from './textGrammar.ts';
import type { Listener } from './textSearch.ts';

/** The label of a sound that belongs to no word; words have numbers. */
const SOUND = '+';

/**
 * Hears words of a text by grammars.
 *
 * @param phones all the sounds of the language
 */
export function createTextListener(
  decoder: GrammarDecoder,
  words: readonly SayableWord[],
  phones: readonly string[],
): Listener {
  const sounds = phones.map(phone => `${SOUND}${phone}`);
  for (const [index, sound] of sounds.entries()) decoder.teach(sound, [phones[index]!]);
  /** Words are taught when they are first looked for. */
  const taught = new Set<number>();

  function labelsOf(from: number, to: number): readonly string[] {
    return words.slice(from, to).map(({ pronunciations }, index) => {
      const label = String(from + index);
      if (!taught.has(from + index)) decoder.teach(label, pronunciations);
      taught.add(from + index);
      return label;
    });
  }

  function soundOf({ label, ...heard }: HeardLabel): HeardSound {
    if (label === undefined) return { ...heard, phones: 0 };
    if (label.startsWith(SOUND)) return { ...heard, phones: 1 };
    const word = Number(label);
    return { ...heard, word, phones: words[word]!.phones };
  }

  return {
    follow(from, to, samples) {
      if (from >= to) return [];
      const heard = decoder.search(plainGrammar(labelsOf(from, to)), samples).map(soundOf);
      return soundsAsSaid(heard) ? heard.filter(isWord) : [];
    },
    look({ from, to, expected }, samples) {
      const grammar = textGrammar(labelsOf(from, to), expected - from, sounds);
      return decoder
        .search(grammar, samples)
        .map(soundOf)
        .filter(({ phones }) => phones > 0);
    },
  };
}

function isWord(sound: HeardSound): sound is HeardSound & HeardTextWord {
  return sound.word !== undefined;
}
