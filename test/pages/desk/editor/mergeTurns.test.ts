import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conflictsOf, mergedTurns, mergeTurns } from '../../../../src/pages/desk/editor/mergeTurns.ts';
import type { DeskTurn } from '../../../../src/protocol/desk.ts';

/** Returns turns of texts such as `1 words of speaker 1`; each word lasts a second. */
const turnsOf = (...texts: string[]): DeskTurn[] =>
  texts.map(line => {
    const [, speaker, text] = /^(?:(\d) )?(.*)$/s.exec(line)!;
    const words = [...text!.matchAll(/\S+/g)].map(({ 0: word, index }, n): DeskTurn['words'][number] => [
      index,
      index + word.length,
      n,
      n + 1,
    ]);
    return { speaker: Number(speaker ?? 0), text: text!, words };
  });

const textsOf = (turns: readonly DeskTurn[]) =>
  turns.map(({ speaker, text }) => (speaker === 0 ? text : `${speaker} ${text}`));

function merge(ours: readonly string[], base: readonly string[], theirs: readonly string[]) {
  const parts = mergeTurns(turnsOf(...ours), turnsOf(...base), turnsOf(...theirs));
  return { parts, conflicts: conflictsOf(parts), texts: textsOf(mergedTurns(parts, [])) };
}

describe('merging', () => {
  test.each([
    ['words apart', ['A b c d'], ['a b c d'], ['a b c D'], ['A b c D']],
    ['words beside each other', ['a B c'], ['a b c'], ['a b C'], ['a B C']],
    ['a word beside an added one', ['a B c'], ['a b c'], ['a b new c'], ['a B new c']],
    ['a word beside a deleted one', ['a B c'], ['a b c'], ['a b'], ['a B']],
    ['the same word', ['a B c'], ['a b c'], ['a B C'], ['a B C']],
    ['a word of a turn that is split', ['a', 'b c'], ['a b c'], ['a b C'], ['a', 'b C']],
    ['a word of turns that are joined', ['a b c d'], ['a b', '1 c d'], ['a b', '1 c D'], ['a b c D']],
    ['the speaker of a turn', ['1 a b'], ['a b'], ['a B'], ['1 a B']],
    ['a word where a turn begins', ['a', 'x', 'b c'], ['a', 'b c'], ['a', 'b C'], ['a', 'x', 'b C']],
    ['the end of a turn that is typed', ['a b and '], ['a b'], ['A b'], ['A b and ']],
  ])('does not ask about %s', (_, ours, base, theirs, expected) => {
    expect(merge(ours, base, theirs)).toMatchObject({ conflicts: [], texts: expected });
    expect(merge(theirs, base, ours)).toMatchObject({ conflicts: [], texts: expected });
  });

  test.each([
    ['a word', ['a OUR c'], ['a b c'], ['a THEIR c'], ['a OUR THEIR c']],
    ['words added at a place', ['Mine, a b'], ['a b'], ['Theirs, a b'], ['Mine, Theirs, a b']],
    ['words with some in common', ['x so y b'], ['b'], ['z so b'], ['x z so y b']],
    ['a turn that is deleted', [], ['a b'], ['a B'], ['a B']],
    ['a turn that is deleted where a word is added', ['b'], ['a', 'b'], ['a x', 'b'], ['a x', 'b']],
    ['a word that both add, one in place of another', ['a x'], ['a b'], ['a b x'], ['a b x']],
    ['the speaker', ['1 a b'], ['a b'], ['2 a b'], ['1 a b']],
    ['turns added at a place', ['a', 'x'], ['a'], ['a', 'y'], ['a', 'x', 'y']],
  ])('asks about %s, and has both one after the other', (_, ours, base, theirs, expected) => {
    const { conflicts, texts, parts } = merge(ours, base, theirs);
    expect([conflicts.length, texts]).toEqual([1, expected]);
    expect(textsOf(mergedTurns(parts, ['ours']))).toEqual(ours);
    expect(textsOf(mergedTurns(parts, ['theirs']))).toEqual(theirs);
  });

  test('keeps the words of the other that are not in question, whichever is chosen', () => {
    const { parts } = merge(['A b OUR d'], ['a b c d'], ['a b THEIR D']);
    expect(textsOf(mergedTurns(parts, ['ours']))).toEqual(['A b OUR D']);
    expect(textsOf(mergedTurns(parts, ['theirs']))).toEqual(['A b THEIR D']);
  });

  test('keeps the times of words where they stand now', () => {
    const [turn] = mergedTurns(mergeTurns(turnsOf('so  a b c'), turnsOf('a b c'), turnsOf('a b longer')), []);
    expect(turn).toEqual({
      speaker: 0,
      text: 'so  a b longer',
      words: [
        [0, 2, 0, 1],
        [4, 5, 1, 2],
        [6, 7, 2, 3],
        [8, 14, 2, 3],
      ],
    });
  });

  /** Edits of a word of the base; some are more likely than others. */
  const EDITS = ['keep', 'keep', 'keep', 'replace', 'delete', 'add', 'split'] as const;
  const edits = fc.array(fc.constantFrom(...EDITS), { minLength: 12, maxLength: 12 });

  /** Returns three turns of four words after edits. The words added begin with the letter. */
  const edited = (kinds: readonly (typeof EDITS)[number][], letter: string) =>
    [0, 4, 8].flatMap(start =>
      kinds
        .slice(start, start + 4)
        .map((kind, index) => {
          const n = start + index;
          const texts = { keep: `w${n}`, replace: `${letter}${n}`, delete: '', add: `w${n} ${letter}${n}` };
          return kind === 'split' ? `\nw${n}` : texts[kind];
        })
        .join(' ')
        .split('\n')
        .map(line => line.replace(/ +/g, ' ').trim()),
    );
  const wordsOf = (texts: readonly string[]) =>
    texts
      .join(' ')
      .split(' ')
      .filter(word => word !== '');

  test('loses no word that either has typed, and has those of both once', () => {
    fc.assert(
      fc.property(edits, edits, (our, their) => {
        const base = edited(Array(12).fill('keep'), '');
        const [ours, theirs] = [edited(our, 'o'), edited(their, 't')];
        const found = wordsOf(merge(ours, base, theirs).texts);
        const typed = [...wordsOf(ours), ...wordsOf(theirs)].filter(word => !word.startsWith('w'));
        const shared = wordsOf(ours).filter(word => wordsOf(theirs).includes(word));
        expect(found).toEqual(expect.arrayContaining([...typed, ...shared]));
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 2000 },
    );
  });

  test('asks nothing where different words have been changed', () => {
    fc.assert(
      fc.property(edits, edits, (our, their) => {
        const base = edited(Array(12).fill('keep'), '');
        const isFree = (n: number) => [n - 1, n, n + 1].every(near => (our[near] ?? 'keep') === 'keep');
        const alone = their.map((kind, n) => (isFree(n) ? kind : 'keep'));
        const [ours, theirs] = [edited(our, 'o'), edited(alone, 't')];
        const { conflicts, texts } = merge(ours, base, theirs);
        expect(conflicts).toEqual([]);
        const gone = our.flatMap((kind, n) =>
          /replace|delete/.test(`${kind} ${alone[n]}`) ? [`w${n}`] : [],
        );
        const all = [...new Set([...wordsOf(ours), ...wordsOf(theirs)])].filter(word => !gone.includes(word));
        expect(wordsOf(texts).toSorted()).toEqual(all.toSorted());
      }),
      { numRuns: 2000 },
    );
  });
});
