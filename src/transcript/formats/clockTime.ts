/** A time in whole seconds, rounded down; in `mm:ss` minutes go on counting after an hour. */
export function clockTime(seconds: number, form: 'hh:mm:ss' | 'mm:ss'): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const parts =
    form === 'mm:ss' ? [minutes, whole % 60] : [Math.floor(minutes / 60), minutes % 60, whole % 60];
  return parts.map(part => String(part).padStart(2, '0')).join(':');
}
