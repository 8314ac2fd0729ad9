import type { Readable } from 'node:stream';
import { RxscribeError } from '../../base/errors.ts';
import { parseReference } from '../../replay/reference/readReference.ts';
import { kindOfText, UnreadableReferenceError } from '../../replay/reference/reference.ts';
import { inputName, readTextFile } from './textFile.ts';

/**
 * Resolves with the words of a file, or of standard input for `-`: those of subtitles and transcripts without their times, tags and
 * speakers. Plain text stays as it is.
 *
 * @throws RxscribeError `unreadable-input`, also for a format without words, such as HTML
 */
export async function readSpokenText(path: string, stdin?: Readable): Promise<string> {
  const text = await readTextFile(path, { stdin });
  try {
    return wordsIn(text, path);
  } catch (cause) {
    if (!(cause instanceof UnreadableReferenceError)) throw cause;
    const message = cause.message.replace(`the reference '${path}'`, inputName(path));
    throw new RxscribeError(cause.code, message, { cause });
  }
}

function wordsIn(text: string, path: string): string {
  const kind = kindOfText(text, path);
  if (kind === 'cassette') throw new UnreadableReferenceError({ path }, 'expected a text, found JSON Lines');
  const { segments } = parseReference(text, kind, path);
  const isPlain = kind === 'text' && segments.every(({ ts }) => ts === undefined);
  return isPlain ? text : segments.map(segment => segment.text).join('\n');
}
