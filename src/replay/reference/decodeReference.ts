import { UnreadableReferenceError } from './unreadableReferenceError.ts';

/** By the marks that such files begin with. */
const UTF_16 = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * Text in UTF-8, or in UTF-16 with a byte order mark, without that mark.
 *
 * @throws UnreadableReferenceError for other bytes
 */
export function decodeReference(bytes: Uint8Array, path?: string): string {
  const encoding = UTF_16.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))?.encoding;
  const text = decode(bytes, encoding ?? 'utf-8');
  if (text !== undefined && !text.includes('\0')) return text;
  throw new UnreadableReferenceError(
    { path },
    'wanted text in UTF-8, or in UTF-16 with a byte order mark, found other bytes',
  );
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
