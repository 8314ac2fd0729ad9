import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';

/** Returns the names of the audio files beside a cassette: its own name with another extension. */
export function audioFileNames(path: string): { readonly wav: string; readonly flac: string } {
  const name = basename(path).replace(/\.jsonl$/i, '');
  return { wav: `${name}.wav`, flac: `${name}.flac` };
}

/** Returns the path of a file beside a cassette. */
export function besideCassette(path: string, file: string): string {
  return join(dirname(path), file);
}

/** Bytes to read at each end: the name is in the first lines during a recording, in the last line afterwards. */
const ENDS_BYTES = 64 * 1024;

/**
 * Returns the name of the audio file beside a cassette, without reading the whole cassette. Undefined when the audio is
 * embedded or absent, and for any other or unreadable file.
 */
export function audioNameIn(path: string): string | undefined {
  const [head, tail] = endsOf(path);
  if (typeOn(head[0]) !== 'cassette') return undefined;
  const line = tail.findLast(text => typeOn(text) === 'end') ?? head.find(text => typeOn(text) === 'audio');
  const { audio, file = audio?.file } = fieldsOf(line) as { audio?: { file?: unknown }; file?: unknown };
  return typeof file === 'string' ? file : undefined;
}

function endsOf(path: string): readonly [head: readonly string[], tail: readonly string[]] {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const { size } = fstatSync(fd);
    return [linesAt(fd, 0), linesAt(fd, Math.max(0, size - ENDS_BYTES))];
  } catch {
    return [[], []];
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function linesAt(fd: number, position: number): readonly string[] {
  const bytes = Buffer.alloc(ENDS_BYTES);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, ENDS_BYTES, position)).split('\n');
}

function typeOn(line: string | undefined): unknown {
  return fieldsOf(line).type;
}

/** Parses the fields of a line; none for an incomplete line or anything but an object. */
function fieldsOf(line = ''): Readonly<Record<string, unknown>> {
  const json = jsonOf(line);
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
}
