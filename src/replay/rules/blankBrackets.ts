const PAIRS = ['[]', '()', '<>', '\uFF08\uFF09', '\uFF3B\uFF3D', '\u3010\u3011'];
/** More than this between brackets is no note. */
const MAX_LENGTH = 60;
/** Not those of faces, `:(`, nor the sign in `a < b`. */
const NOTE = new RegExp(
  PAIRS.map(pair => {
    const [open, close] = [...pair].map(bracket => `\\${bracket}`);
    const apart = pair === '<>' ? '(?!\\s)' : '';
    return `(?<![:;=]-?)${open}${apart}[^${close}\\r\\n]{0,${MAX_LENGTH}}${close}`;
  }).join('|'),
  'g',
);

/**
 * A text of the same length with spaces for what stands in brackets, brackets included: notes such as `[music]`,
 * `<unk>` and `(laughs)` are no speech. A bracket ends at the first that closes its kind, in the same line and not after
 * more than 60 characters; without one it stays.
 */
export function blankBrackets(text: string): string {
  return text.replace(NOTE, note => ' '.repeat(note.length));
}
