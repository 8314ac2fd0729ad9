import type { Delays, FileReport, Interval, Measures, Quantiles } from './report.ts';

/** What stands where there is nothing to say. */
export const NOTHING = '–';

/** A ratio of 0.1234 as `12.34 %`. */
export function percent(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? NOTHING : `${(100 * ratio).toFixed(2)} %`;
}

/** `1.25 s`. */
export function seconds(value: number | null | undefined): string {
  return value === null || value === undefined ? NOTHING : `${value.toFixed(2)} s`;
}

/** Seconds as a player has them: `1:02`, `1:02:03`. */
export function clock(value: number): string {
  const whole = Math.floor(value);
  const pad = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** `10.00 % to 14.50 %`, or nothing. */
export function interval(value: Interval | null | undefined): string {
  return value ? `${percent(value.low)} to ${percent(value.high)}` : NOTHING;
}

/** Median and 95th percentile: `0.41 / 0.93 s`. */
export function middleAndMost(quantiles: Quantiles | null | undefined): string {
  return quantiles ? `${quantiles.p50.toFixed(2)} / ${quantiles.p95.toFixed(2)} s` : NOTHING;
}

/** A delay of a report, of null where the speed has none. */
export function delayOf({ delay }: Pick<Measures, 'delay'>, name: keyof Delays): Quantiles | null {
  return delay?.[name] ?? null;
}

/** The name of a file, and of which repeat it is where there are several. */
export function titleOf(file: FileReport, files: readonly FileReport[]): string {
  const isRepeated = files.some(({ name, repeat }) => name === file.name && repeat !== file.repeat);
  return isRepeated ? `${file.name} (repeat ${file.repeat})` : file.name;
}

/** A measure as people write it: ratios in percent, the difference in points of it. */
export function measureText(measure: string, value: number): string {
  if (/^(wer|cer|upwr|upsr|coverage|keywords\.recall)$/.test(measure)) return percent(value);
  if (measure.startsWith('delay.') && !measure.endsWith('.count')) return seconds(value);
  return String(Number(value.toFixed(3)));
}
