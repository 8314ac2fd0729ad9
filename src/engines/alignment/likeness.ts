import type { Token } from './tokens.ts';

/** Returns how alike two words are by their letters or their phones, from 0 to 1 for words that sound the same. */
export function likenessOf(one: Token, other: Token): number {
  if (one.sound === other.sound || one.value === other.value) return 1;
  const [sounds, others] = [one.sound.split(' '), other.sound.split(' ')];
  return Math.max(likeness([...one.value], [...other.value]), likeness(sounds, others));
}

/** By optimal string alignment; two that change places are a slip of the pen, and cost half as much as another. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const longer = Math.max(one.length, other.length);
  let [before, last]: [number[], number[]] = [[], other.map((_, index) => index)];
  last.push(other.length);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      let least = Math.min(last[at]! + 1, next[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwapped) least = Math.min(least, before[at - 2]! + 0.5);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return 1 - last[other.length]! / longer;
}
