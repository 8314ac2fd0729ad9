/** Pronunciations by word, likeliest first; each is phones separated by spaces. */
export type Dictionary = ReadonlyMap<string, readonly string[]>;

/**
 * Parses a dictionary in the format of the CMU Pronouncing Dictionary: a word and its phones on each line,
 * `word(2)` for another pronunciation. Other lines are ignored.
 */
export function parseDictionary(text: string): Dictionary {
  const dictionary = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const entry = /^(\S+?)(?:\(\d+\))?\s+(\S.*?)\s*$/.exec(line);
    if (!entry || line.startsWith(';;;')) continue;
    const [, word, said] = entry as unknown as [string, string, string];
    const phones = said.replace(/\s+/g, ' ');
    const known = dictionary.get(word);
    if (known) known.push(phones);
    else dictionary.set(word, [phones]);
  }
  return dictionary;
}
