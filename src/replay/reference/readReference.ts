import { InvalidArgumentError } from '../../base/errors.ts';
import { readText } from '../../web/readText.ts';
import { readCassette } from '../cassette/read/readCassette.ts';
import { recordedRun } from '../cassette/recordedRun.ts';
import { parseCaptions } from './parseCaptions.ts';
import { parseText } from './parseText.ts';
import {
  kindOfName,
  kindOfText,
  type Reference,
  type ReferenceSegment,
  TEXT_KINDS,
  type TextKind,
  UnreadableReferenceError,
} from './reference.ts';
import { parseTranscript, referenceOfRun } from './transcriptReference.ts';

type Parser = (text: string, path?: string) => readonly ReferenceSegment[];

const PARSERS: Readonly<Record<TextKind, Parser>> = {
  text: parseText,
  json: parseTranscript,
  srt: (text, path) => parseCaptions(text, 'srt', path),
  vtt: (text, path) => parseCaptions(text, 'vtt', path),
  ttml: (text, path) => parseCaptions(text, 'ttml', path),
};

/**
 * Parses a reference of a known format: plain text, JSON of a transcript, SRT, WebVTT or TTML.
 *
 * @param path of its file, for error messages
 * @throws UnreadableReferenceError `unreadable-input`, with the line
 * @throws InvalidArgumentError for another kind
 * @example
 * parseReference('A: Good morning.\nB: Hello.', 'text').segments // [{ speaker: 'A', text: 'Good morning.' }, …]
 */
export function parseReference(text: string, kind: TextKind, path?: string): Reference {
  if (!TEXT_KINDS.includes(kind)) {
    throw new InvalidArgumentError(
      `Format '${kind}' of a reference is not known (known: ${TEXT_KINDS.join(', ')}).`,
    );
  }
  return { kind, segments: PARSERS[kind](text.replace(/^\uFEFF/, ''), path) };
}

export interface ReadReferenceOptions {
  /** Ends the reading; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a reference: plain text, JSON of a transcript, SRT, WebVTT, TTML (in UTF-8, or in UTF-16 with a byte
 * order mark, of at most 16 MB), or a cassette (the transcript that it recorded).
 *
 * @throws UnreadableReferenceError `unreadable-input`, with the file and the line
 * @throws CassetteError for a damaged cassette
 * @throws the signal's reason
 * @example
 * const reference = await readReference('talk.srt');
 * console.log(reference.segments.length);
 */
export async function readReference(path: string, options: ReadReferenceOptions = {}): Promise<Reference> {
  const { signal } = options;
  // A cassette may be larger than any text.
  if (kindOfName(path) === 'cassette') return readRecorded(path, signal);
  const errorOf = (fault: string, cause?: unknown) =>
    new UnreadableReferenceError({ path }, fault, { cause });
  const text = await readText(path, { signal, errorOf });
  const kind = kindOfText(text, path);
  return kind === 'cassette' ? readRecorded(path, signal) : parseReference(text, kind, path);
}

async function readRecorded(path: string, signal: AbortSignal | undefined): Promise<Reference> {
  const cassette = await readCassette(path, { signal });
  return { ...referenceOfRun(recordedRun(cassette)), damage: cassette.damage };
}
