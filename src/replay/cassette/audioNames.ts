import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Names of the audio files beside a cassette: that of the cassette with another ending. */
export function audioFileNames(path: string): { readonly wav: string; readonly flac: string } {
  const name = basename(path).replace(/\.jsonl$/i, '');
  return { wav: `${name}.wav`, flac: `${name}.flac` };
}

/** A file beside a cassette. */
export function besideCassette(path: string, file: string): string {
  return join(dirname(path), file);
}

/** The first lines have the name as long as a recording goes on, the last one at its end. */
const ENDS_BYTES = 64 * 1024;

/**
 * The name of the audio file beside a cassette, without reading all of it. Undefined where the audio lies inside or there
 * is none, and of what is no cassette or cannot be read.
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

/** Of half a line, and of no object, there are none. */
function fieldsOf(line = ''): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
