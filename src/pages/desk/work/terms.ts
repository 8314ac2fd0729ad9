import type { DeskTurn } from '../../../protocol/desk.ts';
import { bareWord } from '../../texts.ts';
import type { ChangedRange } from '../editor/changedTurns.ts';

const MAX_WORDS = 4;

/** Returns a word, or a few, without the punctuation around it. */
export function bareTerm(text: string): string {
  return bareWord(text).replace(/\s+/g, ' ');
}

/**
 * Returns the capitalised word, or the few, that stand for others since a turn was `before`; undefined when something else
 * has changed too.
 */
export function correctedTerm(before: string, after: string): string | undefined {
  const old = before.trim().split(/\s+/);
  const now = after.trim().split(/\s+/);
  const isSame = (index: number) => bareTerm(old.at(index) ?? '') === bareTerm(now.at(index) ?? '');
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && isSame(head)) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(-1 - tail)) tail++;
  const replaced = bareTerm(old.slice(head, old.length - tail).join(' '));
  const term = bareTerm(now.slice(head, now.length - tail).join(' '));
  const isShort = [replaced, term].every(text => text !== '' && text.split(' ').length <= MAX_WORDS);
  const isName = /^(?:\p{Lu}|\p{Lo})/u.test(term) && term.length > 1;
  return isShort && isName && replaced.toLowerCase() !== term.toLowerCase() ? term : undefined;
}

export interface TermWatchOptions {
  /** Returns the turns from index `from` up to `to` (exclusive). Default: all. */
  readonly turns: (from?: number, to?: number) => readonly Pick<DeskTurn, 'text'>[];
  /** Called when the same correction was made for the second time. */
  readonly onTerm: (term: string) => void;
}

/** Milliseconds without a change after which a correction is complete. */
const IDLE_MS = 3000;

/** Watches the text for names that are corrected again and again. */
export function watchTerms({ turns, onTerm }: TermWatchOptions) {
  const known = turns().map(({ text }) => text);
  const counts = new Map<string, number>();
  let edited: { readonly turn: number; readonly before: string } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    clearTimeout(timer);
    const term = edited && correctedTerm(edited.before, known[edited.turn] ?? '');
    edited = undefined;
    if (!term) return;
    const count = (counts.get(term) ?? 0) + 1;
    counts.set(term, count);
    if (count === 2) onTerm(term);
  };
  return {
    /** Called with each change of the text; without a range when names of speakers have changed. */
    changed: (change: ChangedRange | undefined) => {
      if (!change) return;
      const { from, to, replaced } = change;
      const isWithinTurn = replaced === 1 && to === from + 1;
      if (!isWithinTurn || (edited && edited.turn !== from)) settle();
      if (isWithinTurn) edited ??= { turn: from, before: known[from] ?? '' };
      known.splice(from, replaced, ...turns(from, to).map(({ text }) => text));
      clearTimeout(timer);
      timer = setTimeout(settle, IDLE_MS);
    },
    close: () => clearTimeout(timer),
  };
}
