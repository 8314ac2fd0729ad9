import { basename, extname } from 'node:path';
import { UnreadableReferenceError } from './reference.ts';

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

export interface RecordingOptions {
  /** File of the reference, for errors; its name without ending is that of the recording where `audio` is not given. */
  readonly path?: string;
  /** Name or path of the recording, to find it among several. */
  readonly audio?: string;
}

/** The lines of the one recording that is meant, where a file has several: by name, whatever ending and case it has. */
export function oneRecording<T extends { readonly file: string }>(
  lines: readonly T[],
  { path, audio }: RecordingOptions,
): readonly T[] {
  const names = [...new Set(lines.map(({ file }) => file))];
  if (names.length <= 1) return lines;
  const wanted = audio ?? path;
  const fitting = names.filter(name => wanted !== undefined && stemOf(name) === stemOf(wanted));
  if (fitting.length === 1) return lines.filter(({ file }) => file === fitting[0]);
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '');
  const what = wanted === undefined ? 'one recording' : `the recording ${stemOf(wanted)}`;
  throw new UnreadableReferenceError({ path }, `wanted ${what}, found ${names.length} others: ${some}`);
}

const stemOf = (name: string) => basename(name, extname(name)).toLowerCase();

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
