import { createReadStream } from 'node:fs';
import { reasonOf } from '../../base/errors.ts';
import { readBody } from '../../web/readBody.ts';
import { isCassette } from '../cassette/audioNames.ts';
import { readMessageLog } from '../cassette/import/messageLog.ts';
import { readCassette } from '../cassette/read/readCassette.ts';
import { recordedRun } from '../cassette/recordedRun.ts';
import { parseReference } from './parseReference.ts';
import {
  kindOfName,
  kindOfText,
  type Reference,
  type ReferenceKind,
  UnreadableReferenceError,
} from './reference.ts';
import { referenceOfRun, segmentsOfEvents } from './transcriptReference.ts';

export interface ReadReferenceOptions {
  /** Format. Default: by the extension of the file, else by its first lines. */
  readonly kind?: ReferenceKind;
  /** Name or path of the recording, because CTM and STM files may have several. Default: the name of the reference. */
  readonly audio?: string;
  /** Ends the reading; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Largest file in bytes: a larger one is no reference of one recording. */
export const MAX_REFERENCE_BYTES = 16 * 1024 * 1024;

/**
 * Reads a reference: plain text, JSON of a transcript, SRT, WebVTT, CTM, STM, a cassette (the transcript that it
 * recorded), or a result or log of messages of another service (Deepgram, AssemblyAI, Azure), in UTF-8, or in UTF-16 with a
 * byte order mark, of at most 16 MB.
 *
 * @throws UnreadableReferenceError `unreadable-input`, with the file and the line
 * @throws CassetteError for a damaged cassette
 * @throws the signal's reason
 * @example
 * const reference = await readReference('talk.srt');
 * console.log(reference.segments.length);
 */
export async function readReference(path: string, options: ReadReferenceOptions = {}): Promise<Reference> {
  const { kind = kindOfName(path), audio, signal = new AbortController().signal } = options;
  if (kind === 'cassette') return readRecorded(path, signal);
  const text = decodeReference(await readBytes(path, signal), path);
  const found = kind ?? kindOfText(text);
  if (found === 'cassette') return readRecorded(path, signal);
  return parseReference(text, found, { path, audio });
}

async function readRecorded(path: string, signal: AbortSignal): Promise<Reference> {
  if (isCassette(path) || /\.cassette\.jsonl$/i.test(path)) {
    return referenceOfRun(recordedRun(await readCassette(path, { signal })));
  }
  const messages = await readMessageLog(path, { signal });
  return { kind: 'log', segments: segmentsOfEvents(messages.flatMap(({ event }) => event ?? [])) };
}

async function readBytes(path: string, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const stream = createReadStream(path, { signal });
  const bytes = await readBody(stream, MAX_REFERENCE_BYTES + 1).catch(cause => {
    signal.throwIfAborted();
    throw new UnreadableReferenceError({ path }, reasonOf(cause), { cause });
  });
  if (bytes.length <= MAX_REFERENCE_BYTES) return bytes;
  throw new UnreadableReferenceError({ path }, 'it is larger than 16 MB');
}

/** Encodings by their byte order marks. */
const UTF_16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, and removes the mark.
 *
 * @throws UnreadableReferenceError for other bytes
 */
function decodeReference(bytes: Buffer, path: string): string {
  const encoding = UTF_16[bytes.toString('hex', 0, 2)] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below, as a zero byte is.
  }
  const fault = 'it is not text in UTF-8, or in UTF-16 with a byte order mark';
  throw new UnreadableReferenceError({ path }, fault);
}
