/** A line of fields with white space between; its number counts from 1. */
export interface FieldLine {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The lines of a NIST file, without comments (`;;`) and blank ones. */
export function fieldLines(text: string): readonly FieldLine[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((raw, index) => ({ line: index + 1, fields: raw.trim().split(/\s+/) }))
    .filter(({ fields: [first = ''] }) => first !== '' && !first.startsWith(';;'));
}

/** A number of seconds from 0 on, or undefined. */
export function secondsOf(field: string | undefined): number | undefined {
  return field !== undefined && /^(?:\d{1,9}(?:\.\d{0,12})?|\.\d{1,12})$/.test(field)
    ? Number(field)
    : undefined;
}
