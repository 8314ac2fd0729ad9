import { Decoration, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;
const KNOWN = Decoration.mark({ attributes: { spellcheck: 'false' } });

/** Keeps the browser from underlining words of phrases as misspelt. */
export function knownSpelling(phrases: readonly string[]) {
  const known = new Set(phrases.flatMap(phrase => phrase.match(WORD) ?? []));
  const decorator = new MatchDecorator({
    regexp: WORD,
    decoration: ([word]) => (known.has(word) ? KNOWN : null),
  });
  return ViewPlugin.define(
    view => ({
      marks: decorator.createDeco(view),
      update(update: ViewUpdate) {
        this.marks = decorator.updateDeco(update, this.marks);
      },
    }),
    { decorations: ({ marks }) => marks },
  );
}
