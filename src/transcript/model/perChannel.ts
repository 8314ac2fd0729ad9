/** A value for each channel that has one, by its number. */
export type PerChannel<T> = readonly (T | undefined)[];

/** The channel of an event: 0 unless channels are streamed apart. */
export const channelOf = ({ channel = 0 }: { readonly channel?: number }) => channel;

/** The same array when the channel has the value already. */
export function withChannel<T>(values: PerChannel<T>, channel: number, value: T): PerChannel<T> {
  if (values[channel] === value) return values;
  const changed = [...values];
  changed[channel] = value;
  return changed;
}
