import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { messageOf, RxscribeError } from '../base/errors.ts';

/**
 * The text of a file, or of standard input where the name is `-`.
 *
 * @throws RxscribeError `unreadable-input`
 */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (cause) {
    throw new RxscribeError('unreadable-input', `read text: ${messageOf(cause)}`, { cause });
  }
}
