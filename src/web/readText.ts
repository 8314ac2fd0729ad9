import { createReadStream } from 'node:fs';
import { fileReason } from '../base/text.ts';
import { readBody } from './readBody.ts';

/** Largest text that is read by default, in bytes: a larger file was named by mistake. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

export interface ReadTextOptions {
  /** Default {@link MAX_TEXT_BYTES}. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Returns the error of a text that cannot be read, from the fault as a clause without a full stop. */
  readonly errorOf: (fault: string, cause?: unknown) => Error;
}

/**
 * Resolves with the text of a file or a stream, in UTF-8, or in UTF-16 with a byte order mark.
 *
 * @throws the error of `errorOf`; the signal's reason
 */
export async function readText(
  source: string | AsyncIterable<Uint8Array>,
  { maxBytes = MAX_TEXT_BYTES, signal, errorOf }: ReadTextOptions,
): Promise<string> {
  signal?.throwIfAborted();
  const stream = typeof source === 'string' ? createReadStream(source, { signal }) : source;
  const bytes = await readBody(stream, maxBytes + 1).catch(cause => {
    signal?.throwIfAborted();
    throw errorOf(fileReason(cause), cause);
  });
  if (bytes.length > maxBytes) throw errorOf(`it is larger than ${maxBytes / 1024 / 1024} MB`);
  const text = decodeText(bytes);
  if (text === undefined) throw errorOf(NOT_TEXT);
  return text;
}

/** Fault of bytes that {@link decodeText} does not decode. */
export const NOT_TEXT = 'it is not text in UTF-8, or in UTF-16 with a byte order mark';

/** Encodings by their byte order marks. */
const UTF_16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/** Decodes UTF-8, or UTF-16 with a byte order mark, and removes the mark. Undefined for other bytes. */
export function decodeText(bytes: Buffer): string | undefined {
  const encoding = UTF_16[bytes.toString('hex', 0, 2)] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
