import { readFileSync } from 'node:fs';

/** The samples of a 16 kHz mono 16-bit WAV file with the plain 44-byte header, as those in `samples/` are. */
export function readSampleSpeech(name: string): Int16Array {
  const bytes = readFileSync(new URL(`../../samples/${name}.wav`, import.meta.url));
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length));
}

/** Words of a sample, in order. */
export function readSampleText(name: string): readonly string[] {
  const text = readFileSync(new URL(`../../samples/${name}.txt`, import.meta.url), 'utf8');
  return text.trim().split(/\s+/);
}

export function joined(...parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Digital silence at 16 kHz. */
export function silence(seconds: number): Int16Array {
  return new Int16Array(seconds * 16_000);
}
