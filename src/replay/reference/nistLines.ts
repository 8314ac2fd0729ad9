import { basename, extname } from 'node:path';
import { type ReferenceSegment, UnreadableReferenceError } from './reference.ts';

/** A line of fields separated by white space; its number counts from 1. */
export interface FieldLine {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Splits a NIST file into lines, without comments (`;;`) and blank lines. */
export function fieldLines(text: string): readonly FieldLine[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((raw, index) => ({ line: index + 1, fields: raw.trim().split(/\s+/) }))
    .filter(({ fields: [first = ''] }) => first !== '' && !first.startsWith(';;'));
}

/** Parses a number of seconds from 0 on; undefined for any other text. */
export function secondsOf(field: string | undefined): number | undefined {
  return field !== undefined && /^(?:\d{1,9}(?:\.\d{0,12})?|\.\d{1,12})$/.test(field)
    ? Number(field)
    : undefined;
}

export interface RecordingOptions {
  /**
   * File of the reference, for error messages; its name without extension is the recording's when `audio` is not given.
   */
  readonly path?: string;
  /** Name or path of the recording, to select it among several. */
  readonly audio?: string;
}

/**
 * Returns the lines of one recording of a file that may have several, selected by name regardless of extension and
 * case.
 */
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
  const fault =
    wanted === undefined ? 'it has more than one recording' : `it has no recording '${stemOf(wanted)}'`;
  throw new UnreadableReferenceError({ path }, `${fault} (recordings: ${some})`);
}

const stemOf = (name: string) => basename(name, extname(name)).toLowerCase();

/** A word or segment of a recording. */
export interface NistPart extends ReferenceSegment {
  readonly file: string;
  readonly channel: string;
  readonly ts: number;
  readonly endTs: number;
}

/**
 * Returns parts in the order of their starts with the names of their voices: the speaker, with the channel added where several
 * channels have a speaker of that name; the channel where no speaker is named and there are several channels.
 */
export function withVoices(parts: readonly NistPart[]): readonly Omit<NistPart, 'file' | 'channel'>[] {
  const channels = new Map<string | undefined, Set<string>>();
  for (const { speaker, channel } of parts) {
    channels.set(speaker, (channels.get(speaker) ?? new Set()).add(channel));
  }
  const nameOf = ({ speaker, channel }: NistPart) => {
    if (channels.get(speaker)?.size === 1) return speaker;
    return speaker === undefined ? channel : `${speaker} (${channel})`;
  };
  return parts
    .toSorted((left, right) => left.ts - right.ts)
    .map(part => ({ text: part.text, ts: part.ts, endTs: part.endTs, speaker: nameOf(part) }));
}
