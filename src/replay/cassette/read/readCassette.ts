import { stat } from 'node:fs/promises';
import { reasonOf } from '../../../base/errors.ts';
import type { Cassette } from '../cassette.ts';
import { CassetteError } from '../cassetteError.ts';
import { cassetteAudio } from './cassetteAudio.ts';
import { CassetteParser, type ParsedCassette } from './cassetteParser.ts';
import { fileLines } from './textLines.ts';

export interface ReadCassetteOptions {
  /** Ends the reading; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Reads and checks a cassette: each line by its schema, its messages, the order of lines, and that the audio is the
 * recorded audio. What a service may have sent although it should not is in `damage`. Audio is read in pieces and not kept in memory. A recording that was cut off has no `end`, and audio up to that
 * point.
 *
 * @throws CassetteError `unreadable-input`, with the file and the line, for any other file, a damaged cassette or one
 * of a later version
 * @throws the signal's reason
 * @example
 * const cassette = await readCassette('talk.cassette.jsonl');
 * console.log(recordedRun(cassette).transcript.monologues.length);
 */
export async function readCassette(path: string, options: ReadCassetteOptions = {}): Promise<Cassette> {
  const { signal = new AbortController().signal } = options;
  const parsed = await parseFile(path, signal);
  const { header, lines, end, damage } = parsed;
  const audio = await cassetteAudio(path, parsed, signal);
  return { header, lines, end, audio, damage };
}

async function parseFile(path: string, signal: AbortSignal): Promise<ParsedCassette> {
  signal.throwIfAborted();
  const stats = await stat(path).catch(cause => {
    throw new CassetteError({ path }, reasonOf(cause), { cause });
  });
  // A pipe can be read only once, and a directory gives a different error on each system.
  if (!stats.isFile()) throw new CassetteError({ path }, 'it is not a file');
  const parser = new CassetteParser(path);
  for await (const line of fileLines({ path }, signal)) parser.push(line);
  return parser.end();
}
