/** Logits as probabilities: of `e` to the power of each, the share. Empty for none. */
export function softmax(logits: ArrayLike<number>): number[] {
  const values = Array.from(logits);
  // Less the largest, so that no power is out of range.
  const largest = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const powers = values.map(value => Math.exp(value - largest));
  const sum = powers.reduce((one, other) => one + other, 0);
  return powers.map(power => power / sum);
}
