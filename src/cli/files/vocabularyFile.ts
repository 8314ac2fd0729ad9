import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { parseVocabularies, type Vocabulary } from '../../protocol/vocabularies.ts';
import { decodeText } from './textFile.ts';

/**
 * The phrases of a file: one a line, blank lines passed over, or JSON as the interface takes it.
 *
 * @throws RxscribeError `unreadable-input` when it cannot be read
 * @throws InvalidArgumentError when it holds no phrases that can be used
 */
export async function readVocabularyFile(path: string): Promise<readonly Vocabulary[]> {
  const text = await readFile(path)
    .then(decodeText)
    .catch(cause => {
      throw new RxscribeError('unreadable-input', `read vocabulary: ${messageOf(cause)}`, { cause });
    });
  try {
    return parseVocabularies(
      extname(path).toLowerCase() === '.json' ? JSON.parse(text) : [{ phrases: linesOf(text) }],
    );
  } catch (cause) {
    throw new InvalidArgumentError(`read vocabulary ${path}: ${messageOf(cause)}`, { cause });
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map(line => line.trim())
    .filter(line => line !== '');
}
