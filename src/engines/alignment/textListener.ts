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

  function soundsIn(heard: readonly HeardLabel[]): readonly HeardSound[] {
    return heard.flatMap(({ label, startFrame, endFrame }) => {
      if (label === undefined) return [];
      if (label.startsWith(SOUND)) return [{ phones: 1, startFrame, endFrame }];
      const word = Number(label);
      return [{ word, phones: words[word]!.phones, startFrame, endFrame }];
    });
  }

  return {
    follow(from, to, samples) {
      if (from >= to) return [];
      const heard = decoder.search(plainGrammar(labelsOf(from, to)), samples);
      return soundsAsSaid(heard) ? soundsIn(heard).filter(isWord) : [];
    },
    look: ({ from, to, expected }, samples) =>
      soundsIn(decoder.search(textGrammar(labelsOf(from, to), expected - from, sounds), samples)),
  };
}

function isWord(sound: HeardSound): sound is HeardSound & HeardTextWord {
  return sound.word !== undefined;
}
