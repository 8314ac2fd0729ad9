/** Returns seconds as `1:02:03`, as `2:03.4` with tenths, or as `0:02:03` with hours. */
export function clockText(seconds: number, { tenths = false, hours: hasHours = false } = {}): string {
  const all = Math.max(0, tenths ? Math.floor(seconds * 10) / 10 : Math.floor(seconds));
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all / 60) % 60;
  const rest = (all % 60).toFixed(tenths ? 1 : 0).padStart(tenths ? 4 : 2, '0');
  return hasHours || hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
    : `${minutes}:${rest}`;
}

const MINUTES = ['min', 60_000] as const;
const UNITS = [['d', 86_400_000] as const, ['h', 3_600_000] as const, MINUTES];

/** Returns a length of time in its two largest units, such as `1 d 4 h`, in milliseconds. */
export function lengthText(ms: number): string {
  if (ms < 60_000) return '1 min';
  const units = UNITS.filter(([, unit]) => ms >= unit);
  const [[name, unit] = MINUTES, next] = units;
  // Half a minute after the start of 24 h, people expect 24 h.
  const isLong = ms / unit >= 10;
  const count = isLong ? Math.round(ms / unit) : Math.floor(ms / unit);
  const rest = next && !isLong ? Math.floor((ms - count * unit) / next[1]) : 0;
  return next && rest > 0 ? `${count} ${name} ${rest} ${next[0]}` : `${count} ${name}`;
}

/** Returns when work is due, seen from `now`: `in 3 h to 5 h`, `within 2 h`, or `2 h late`. Times in milliseconds. */
export function dueText(from: number, until: number, now: number): string {
  if (until <= now) return `${lengthText(now - until)} late`;
  if (from <= now) return `within ${lengthText(until - now)}`;
  return `in ${lengthText(from - now)} to ${lengthText(until - now)}`;
}

/** Returns a time of the server in the format of this locale. */
export function dateText(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
