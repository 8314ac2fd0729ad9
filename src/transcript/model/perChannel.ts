/** Values by channel number. */
export type PerChannel<T> = readonly (T | undefined)[];

/** Returns the channel of an event, by default 0. */
export const channelOf = ({ channel = 0 }: { readonly channel?: number }) => channel;

/** Sets the value of a channel. Returns the same array when the channel already has the value. */
export function withChannel<T>(values: PerChannel<T>, channel: number, value: T): PerChannel<T> {
  if (values[channel] === value) return values;
  const changed = [...values];
  changed[channel] = value;
  return changed;
}
