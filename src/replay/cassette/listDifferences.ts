import { alignWords } from '../score/alignWords.ts';

/** A place where two lists are different; what only one of them has became nothing, or was nothing. */
export interface ListDifference {
  /** From 1: of the first list, or of the second where only that has it. */
  readonly number: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Between what both lists begin with and what they end with, so many are put side by side: the rest by its numbers. */
const MAX_ALIGNED = 5000;

/** What is different in two lists: one value more or less does not shift those behind it. */
export function listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly ListDifference[] {
  const [left, right] = [before.map(printed), after.map(printed)];
  const head = commonLength(left, right);
  const tail = commonLength(left.slice(head).reverse(), right.slice(head).reverse());
  const between = (texts: readonly string[]) => texts.slice(head, texts.length - tail);
  const [a, b] = [between(left), between(right)];
  const difference = (at: number | undefined, to: number | undefined): ListDifference => ({
    number: head + (at ?? to ?? 0) + 1,
    ...(at !== undefined && at < a.length && { before: before[head + at] }),
    ...(to !== undefined && to < b.length && { after: after[head + to] }),
  });
  const differences = alignWords(a.slice(0, MAX_ALIGNED), b.slice(0, MAX_ALIGNED))
    .filter(({ type }) => type !== 'hit')
    .map(step =>
      difference(
        'reference' in step ? step.reference : undefined,
        'hypothesis' in step ? step.hypothesis : undefined,
      ),
    );
  for (let at = MAX_ALIGNED; at < Math.max(a.length, b.length); at++) {
    if (a[at] !== b[at]) differences.push(difference(at, at));
  }
  return differences;
}

function commonLength(left: readonly string[], right: readonly string[]): number {
  const first = left.findIndex((text, index) => text !== right[index]);
  return first === -1 ? left.length : first;
}

/** Equal values in equal words, in whatever order their fields are. */
function printed(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
