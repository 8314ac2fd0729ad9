/** Rounds a figure for a table. Default: to three decimals. */
export function rounded(value: number, decimals = 3): number {
  return Number(value.toFixed(decimals));
}
