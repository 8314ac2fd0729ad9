import { InvalidArgumentError } from '../../base/errors.ts';
import type { Transcript } from '../model/model.ts';

/** Names of speakers and channels, by their numbers. */
export interface Names {
  /** Names by the number of the speaker, such as `{ 0: 'Anna' }`; an empty one is none. */
  readonly speakers?: Readonly<Record<number, string>>;
  /** Names by the number of the channel, such as `{ 1: 'Room' }`, where each channel is streamed on its own. */
  readonly channels?: Readonly<Record<number, string>>;
}

/** Longest name; longer ones would fill a row of captions. */
const MAX_NAME = 40;

/** @throws InvalidArgumentError for a key that is not a number from 0, and a name that is empty, long or has control characters */
export function checkNames({ speakers = {}, channels = {} }: Names): void {
  for (const [kind, names] of Object.entries({ speaker: speakers, channel: channels })) {
    for (const [number, name] of Object.entries(names)) {
      if (!/^(0|[1-9]\d{0,3})$/.test(number)) {
        throw new InvalidArgumentError(`The ${kind} '${number}' of a name is not a number from 0 to 9999.`);
      }
      if (name.trim() !== name || name === '' || name.length > MAX_NAME || /\p{C}/u.test(name)) {
        throw new InvalidArgumentError(
          `The name of ${kind} ${number} must have 1 to ${MAX_NAME} visible characters, without spaces around them.`,
        );
      }
    }
  }
}

/** Returns the name of a speaker, else that of the channel. */
export function nameOf(
  { speakers, channels }: Names,
  { speaker, channel }: { readonly speaker?: number; readonly channel: number },
): string | undefined {
  return (speaker === undefined ? undefined : speakers?.[speaker]) ?? channels?.[channel];
}

/**
 * Sets the names of the speakers of a transcript, for captions and files. Names that it has already stay.
 *
 * @param channelCount number of channels that were streamed apart, where speaker `s` of channel `c` is `s * channelCount + c`;
 *   without it, a channel has one speaker with its number
 * @example
 * withNames(transcript, { speakers: { 0: 'Anna' } }).monologues[0]?.speakerInfo?.displayName; // 'Anna'
 */
export function withNames(transcript: Transcript, names: Names, channelCount?: number): Transcript {
  const monologues = transcript.monologues.map(monologue => {
    const { speaker, speakerInfo } = monologue;
    const channel = channelCount === undefined ? speaker : speaker % channelCount;
    const displayName = speakerInfo ? undefined : nameOf(names, { speaker, channel });
    return {
      ...monologue,
      ...(channelCount !== undefined && { channel }),
      ...(displayName && { speakerInfo: { id: String(speaker), displayName } }),
    };
  });
  return { ...transcript, monologues };
}
