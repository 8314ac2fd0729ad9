import { InvalidArgumentError } from '../../base/errors.ts';
import type { RecordingOptions } from './nistLines.ts';
import { parseCaptions } from './parseCaptions.ts';
import { parseCtm } from './parseCtm.ts';
import { parseStm } from './parseStm.ts';
import { parseText } from './parseText.ts';
import { type Reference, type ReferenceSegment, TEXT_KINDS, type TextKind } from './reference.ts';
import { parseTranscript } from './transcriptReference.ts';

type Parser = (text: string, options: RecordingOptions) => readonly ReferenceSegment[];

const PARSERS: Readonly<Record<TextKind, Parser>> = {
  text: parseText,
  json: (text, { path }) => parseTranscript(text, path),
  srt: (text, { path }) => parseCaptions(text, 'srt', path),
  vtt: (text, { path }) => parseCaptions(text, 'vtt', path),
  ctm: parseCtm,
  stm: parseStm,
};

/**
 * Parses a reference of a known format: plain text, JSON of a transcript, SRT, WebVTT, CTM or STM. Transcripts of other
 * services can be read in these formats, too.
 *
 * @throws UnreadableReferenceError `unreadable-input`, with the line
 * @throws InvalidArgumentError for another kind
 * @example
 * parseReference('A: Good morning.\nB: Hello.', 'text').segments // [{ speaker: 'A', text: 'Good morning.' }, …]
 */
export function parseReference(text: string, kind: TextKind, options: RecordingOptions = {}): Reference {
  if (!TEXT_KINDS.includes(kind)) {
    throw new InvalidArgumentError(
      `Format '${kind}' of a reference is not known (known: ${TEXT_KINDS.join(', ')}).`,
    );
  }
  return { kind, segments: PARSERS[kind](text.replace(/^\uFEFF/, ''), options) };
}
