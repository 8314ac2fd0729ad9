/** Characters of a row, at which a typed phrase is sent. */
const ROW = 42;

const SENTENCE_END = /^(.*[.!?…]["'”’»)\]]*)\s+(\S*)$/su;

/**
 * Splits typed text into a complete phrase and the rest: after the end of a sentence, or when a row is full.
 *
 * @example
 * nextPhrase('Good day. How'); // { phrase: 'Good day.', rest: 'How' }
 */
export function nextPhrase(typed: string): { readonly phrase: string; readonly rest: string } {
  const [, sentence, after = ''] = SENTENCE_END.exec(typed) ?? /^(.*[。！？])(.*)$/su.exec(typed) ?? [];
  if (sentence !== undefined) return { phrase: sentence.trim(), rest: after };
  const space = typed.trimEnd().length < ROW ? -1 : typed.lastIndexOf(' ');
  if (space < 0) return { phrase: '', rest: typed };
  return { phrase: typed.slice(0, space).trim(), rest: typed.slice(space + 1) };
}
