import { getSearchQuery } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';

/** Matches of a search that are counted at most. */
export const MAX_COUNTED = 9999;

/** Characters that are searched at once, in less time than a frame has. */
const PART = 20_000;

/**
 * Returns a function that counts the matches of the search after a delay, part by part, so that typing is not held up. It
 * cancels the count before.
 *
 * @param onCounted called with the starts of the matches: one more than are counted when there are too many
 */
export function matchCounter(view: EditorView, onCounted: (starts: readonly number[]) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (delayMs: number) => {
    clearTimeout(timer);
    const { state } = view;
    const query = getSearchQuery(state);
    const starts: number[] = [];
    const count = (from: number) => {
      const { to } = state.doc.lineAt(Math.min(state.doc.length, from + PART));
      const cursor = query.getCursor(state, from, to);
      for (let { done, value } = cursor.next(); !done; { done, value } = cursor.next())
        starts.push(value.from);
      if (to === state.doc.length || starts.length > MAX_COUNTED) onCounted(starts);
      else timer = setTimeout(count, 0, to + 1);
    };
    if (query.valid) timer = setTimeout(count, delayMs, 0);
  };
}
