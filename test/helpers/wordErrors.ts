/** Words inserted, left out or taken for another: the Levenshtein distance over words. */
export function wordErrors(reference: readonly string[], heard: readonly string[]): number {
  let row = heard.map((_, index) => index + 1);
  reference.forEach((word, index) => {
    let diagonal = index;
    let left = index + 1;
    row = row.map((above, column) => {
      const cost = Math.min(above + 1, left + 1, diagonal + (word === heard[column] ? 0 : 1));
      diagonal = above;
      left = cost;
      return cost;
    });
  });
  return row.at(-1) ?? reference.length;
}
