/** Formats a time for caption files, from hours to milliseconds. */
export function formatTimestamp(seconds: number, mark: ',' | '.'): string {
  const milliseconds = wholeMs(seconds);
  const parts = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60];
  const clock = parts.map(part => String(Math.floor(part)).padStart(2, '0')).join(':');
  return `${clock}${mark}${String(milliseconds % 1000).padStart(3, '0')}`;
}

/** Returns a time in whole milliseconds, at least 0, as times in files are not negative. */
export function wholeMs(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000));
}

const COLON = String.raw`\s?:\s?`;
const STAMP = String.raw`(?:(\d{1,5})${COLON})?(\d{1,2})${COLON}(\d{1,2})(?:[.,]\s?(\d{1,3}))?`;
const TIMING = new RegExp(`^${STAMP}\\s*-{1,2}>\\s*${STAMP}(?:\\s.*)?$`, 'u');
/** The comma between the times of SubViewer and YouTube. */
const COMMA = /^(\d{1,5}:\d\d:\d\d\.\d{2,3}),(?=\d)/;

/**
 * Parses a timing line to its span in seconds; undefined when the line is not a timing. Hours are optional, the fraction follows
 * a comma or a point, and the rest of the line (cue settings, coordinates) is ignored. Spaces of translation programs around the
 * marks are allowed, and a comma in place of the arrow.
 */
export function parseTiming(line: string): { readonly ts: number; readonly endTs: number } | undefined {
  const match = TIMING.exec(line.replace(COMMA, '$1 --> '));
  if (!match) return undefined;
  return { ts: secondsOf(match.slice(1, 5)), endTs: secondsOf(match.slice(5, 9)) };
}

function secondsOf([hours = '0', minutes, seconds, fraction = '']: readonly (string | undefined)[]): number {
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (whole * 1000 + Number(fraction.padEnd(3, '0'))) / 1000;
}

/** Formats a time in whole seconds, rounded down; in `mm:ss` minutes continue after 59. */
export function clockTime(seconds: number, form: 'hh:mm:ss' | 'mm:ss'): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const parts =
    form === 'mm:ss' ? [minutes, whole % 60] : [Math.floor(minutes / 60), minutes % 60, whole % 60];
  return parts.map(part => String(part).padStart(2, '0')).join(':');
}
