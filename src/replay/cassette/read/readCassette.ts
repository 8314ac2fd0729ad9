import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { messageOf } from '../../../base/errors.ts';
import type { Cassette } from '../cassette.ts';
import { CassetteError } from '../cassetteError.ts';
import { cassetteAudio } from './cassetteAudio.ts';
import { CassetteParser, type ParsedCassette } from './cassetteParser.ts';
import { textLines } from './textLines.ts';

export interface ReadCassetteOptions {
  /** Ends the reading: its reason is thrown. */
  readonly signal?: AbortSignal;
}

const READ_BYTES = 256 * 1024;

/**
 * Reads a cassette and checks it: every line by its schema, their order, and that the audio is what was recorded. Audio
 * is read in pieces and not held. A recording that was cut off has no `end`, and audio as far as it goes.
 *
 * @throws CassetteError `unreadable-input`, with the file and the line: for what is no cassette, or a damaged one, or one
 * of a later version
 * @throws the signal's reason
 * @example
 * const cassette = await readCassette('talk.cassette.jsonl');
 * console.log(recordedRun(cassette).transcript.monologues.length);
 */
export async function readCassette(path: string, options: ReadCassetteOptions = {}): Promise<Cassette> {
  const { signal = new AbortController().signal } = options;
  const parsed = await parseFile(path, signal);
  const { header, lines, end } = parsed;
  const audio = await cassetteAudio(path, parsed, signal);
  return { header, lines, ...(end && { end }), ...(audio && { audio }) };
}

async function parseFile(path: string, signal: AbortSignal): Promise<ParsedCassette> {
  signal.throwIfAborted();
  try {
    // A pipe would be read once only, and a directory has another error on each system.
    if (!(await stat(path)).isFile()) throw new CassetteError({ path }, 'wanted a file, found none');
    const parser = new CassetteParser(path);
    const bytes = createReadStream(path, { highWaterMark: READ_BYTES, signal });
    for await (const line of textLines({ path }, bytes)) parser.push(line);
    return parser.end();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof CassetteError) throw cause;
    throw new CassetteError({ path }, messageOf(cause), { cause });
  }
}
