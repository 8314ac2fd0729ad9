import { basename, extname } from 'node:path';
import { UnreadableReferenceError } from './unreadableReferenceError.ts';

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
