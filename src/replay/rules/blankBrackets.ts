const PAIRS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['<', '>'],
  ['(', ')'],
  ['\uFF08', '\uFF09'],
  ['\uFF3B', '\uFF3D'],
  ['\u3010', '\u3011'],
]);
const OPENING = /[[<(\uFF08\uFF3B\u3010]/g;

/**
 * A text of the same length with spaces for what stands in brackets, brackets included: notes such as `[music]`,
 * `<unk>` and `(laughs)` are no speech. A bracket ends at the first that closes its kind; without one it stays.
 */
export function blankBrackets(text: string): string {
  const parts: string[] = [];
  let done = 0;
  // Where none closes, none closes further on: each text is searched once for each kind.
  const unclosed = new Set<string>();
  for (const { 0: open, index } of text.matchAll(OPENING)) {
    if (index < done || unclosed.has(open)) continue;
    const close = text.indexOf(PAIRS.get(open)!, index);
    if (close < 0) {
      unclosed.add(open);
      continue;
    }
    parts.push(text.slice(done, index), ' '.repeat(close + 1 - index));
    done = close + 1;
  }
  return parts.join('') + text.slice(done);
}
