/**
 * Returns whether rows follow from others as roll-up captions may: words are added at the end of the bottom row, and whole
 * rows move up. Where every row has gone, the new ones must fill the screen.
 */
export function rolledUp(before: readonly string[], after: readonly string[], rowsOnScreen: number): boolean {
  if (before.length === 0 || after.length === 0) return true;
  const moved = before.some((_, gone) =>
    before.slice(gone).every((row, index, kept) => {
      const isBottom = index === kept.length - 1;
      return after[index] === row || (isBottom && after[index]?.startsWith(`${row} `));
    }),
  );
  return moved || after.length === rowsOnScreen;
}
