import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unreadable } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { readText } from '../../web/readText.ts';
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

export interface TextFileOptions {
  /** Read for `-`. Default: `-` is the name of a file. */
  readonly stdin?: Readable;
  /** Default 16 MB. */
  readonly maxBytes?: number;
}

/**
 * Resolves with the text of a file, or of standard input for `-`.
 *
 * @throws RxscribeError `unreadable-input`, also for bytes that are no text, and for too many
 */
export function readTextFile(path: string, { stdin, maxBytes }: TextFileOptions = {}): Promise<string> {
  const errorOf = (fault: string, cause?: unknown) => unreadable(inputName(path), fault, cause);
  return readText(path === '-' && stdin ? stdin : path, { maxBytes, errorOf });
}

/** Resolves with certificate and key; undefined without. @throws RxscribeError `unreadable-input` */
export async function readTls({ tlsCert, tlsKey }: ListenFlags) {
  return tlsCert && tlsKey ? { cert: await readBytes(tlsCert), key: await readBytes(tlsKey) } : undefined;
}

/** Returns the name of an input for messages. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : `'${path}'`;
}
