import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { messageOf, RxscribeError } from '../../base/errors.ts';

/**
 * The text of a file, or of standard input where the name is `-`.
 *
 * @throws RxscribeError `unreadable-input`, also for what is not UTF-8
 */
export async function readTextFile(path: string): Promise<string> {
  try {
    return decodeText(await (path === '-' ? buffer(process.stdin) : readFile(path)));
  } catch (cause) {
    throw new RxscribeError('unreadable-input', `read text: ${messageOf(cause)}`, { cause });
  }
}

/**
 * A text without the mark that some editors put before the first character.
 *
 * @throws RxscribeError `unreadable-input` for what is not UTF-8
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RxscribeError('unreadable-input', 'wanted UTF-8, found other bytes', { cause });
  }
}
