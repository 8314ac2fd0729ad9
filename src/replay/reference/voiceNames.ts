/** Part of a file that says on which channel it was heard. */
interface Heard {
  readonly channel: string;
  readonly speaker?: string;
}

/**
 * Names who speaks: by the speaker, with the channel behind where several channels have one of that name; by the channel
 * where no speaker is named and there are several.
 */
export function voiceNames<T extends Heard>(all: readonly T[]): (heard: T) => string | undefined {
  const channels = new Map<string | undefined, Set<string>>();
  for (const { speaker, channel } of all) {
    const own = channels.get(speaker) ?? new Set();
    channels.set(speaker, own.add(channel));
  }
  return ({ speaker, channel }) => {
    if (channels.get(speaker)!.size === 1) return speaker;
    return speaker === undefined ? channel : `${speaker} (${channel})`;
  };
}
