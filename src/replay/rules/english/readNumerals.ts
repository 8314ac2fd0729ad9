/**
 * What is said for digits with marks between: `1,000` is 1000, `3.14` stays, `10:30` is 1030 (ten thirty), `7:00` is 7;
 * else marks part numbers.
 *
 * @param suffix of an ordinal or of many: `th`, `s`
 */
export function readNumerals(written: string, suffix: string): readonly string[] {
  const whole = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written) ? written.replaceAll(',', '') : written;
  const numerals = /^\.?\d+(?:\.\d+)*$/.test(whole) ? [whole.replace(/^\./, '0.')] : timeOf(whole);
  return numerals.with(-1, numerals.at(-1)! + suffix);
}

function timeOf(written: string): readonly string[] {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(written) ?? [];
  if (hour === undefined) return written.split(/[.,:]/).filter(part => part !== '');
  return [minute === '00' ? hour : hour + minute];
}
