import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unreadable } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import type { ListenFlags } from '../flags/listenOptions.ts';

/**
 * Resolves with the bytes of a file, or of standard input for `-`.
 *
 * @param stdin default: `-` is the name of a file
 * @throws RxscribeError `unreadable-input`
 */
export async function readBytes(path: string, stdin?: Readable): Promise<Buffer> {
  try {
    return await (path === '-' && stdin ? buffer(stdin) : readFile(path));
  } catch (cause) {
    throw unreadable(inputName(path), fileReason(cause), cause);
  }
}

/**
 * Resolves with the text of a file, or of standard input for `-`.
 *
 * @throws RxscribeError `unreadable-input`, also for bytes that are not UTF-8
 */
export async function readTextFile(path: string, stdin?: Readable): Promise<string> {
  const bytes = await readBytes(path, stdin);
  try {
    // Without the byte order mark of some editors.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(inputName(path), 'it is not text in UTF-8', cause);
  }
}

/** Resolves with certificate and key; undefined without. @throws RxscribeError `unreadable-input` */
export async function readTls({ tlsCert, tlsKey }: ListenFlags) {
  return tlsCert && tlsKey ? { cert: await readBytes(tlsCert), key: await readBytes(tlsKey) } : undefined;
}

function inputName(path: string): string {
  return path === '-' ? 'standard input' : `'${path}'`;
}
