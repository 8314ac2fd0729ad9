/** A note with the channel that it is about, where channels are streamed apart. */
export function ofChannel({ channel }: { readonly channel?: number }, note: string): string {
  return channel === undefined ? note : `channel ${channel}: ${note}`;
}
