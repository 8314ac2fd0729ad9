const PAIRS = ['[]', '()', '<>', '\uFF08\uFF09', '\uFF3B\uFF3D', '\u3010\u3011'];
/** Longest note in brackets. */
const MAX_LENGTH = 60;
/** A note in brackets, other than the bracket of a face such as `:(` or the sign in `a < b`. */
const NOTE = new RegExp(
  PAIRS.map(pair => {
    const [open, close] = [...pair].map(bracket => `\\${bracket}`);
    const apart = pair === '<>' ? '(?!\\s)' : '';
    return `(?<![:;=]-?)${open}${apart}[^${close}\\r\\n]{0,${MAX_LENGTH}}${close}`;
  }).join('|'),
  'g',
);

/**
 * Replaces notes in brackets, such as `[music]`, `<unk>` and `(laughs)`, by as many spaces, because they are not
 * speech. A bracket ends at the first closing bracket of its kind, in the same line and within 60 characters; an
 * unclosed bracket stays.
 */
export function blankBrackets(text: string): string {
  return text.replace(NOTE, note => ' '.repeat(note.length));
}
