import { readPlainText } from '../../transcript/formats/plainText.ts';
import type { ReferenceSegment } from './reference.ts';
import { segmentsOfTranscript } from './segmentsOfTranscript.ts';

/** As this program writes transcripts as text. */
const WRITTEN_HERE = /^Speaker \d{1,9}\s+(?:\d+:)+\d{2}(?:\s|$)/u;
const NAMED = /^(?<speaker>[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'’-]{0,39}):\s+(?<text>\S.*)$/u;

/**
 * The segments of a plain text: its paragraphs, or its lines where no blank line parts them. `Name:` before the text
 * says who speaks, where each of several lines has it. An empty text has none.
 */
export function parseText(text: string): readonly ReferenceSegment[] {
  if (WRITTEN_HERE.test(text.trimStart())) return segmentsOfTranscript(readPlainText(text));
  const paragraphs = paragraphsOf(text);
  const lines = paragraphs.flat();
  const named = lines.map(line => NAMED.exec(line)?.groups);
  if (lines.length > 1 && named.every(line => line !== undefined)) {
    return named.map(({ speaker, text }) => ({ speaker: speaker!, text: text! }));
  }
  return paragraphs.length > 1
    ? paragraphs.map(lines => ({ text: lines.join(' ') }))
    : lines.map(text => ({ text }));
}

function paragraphsOf(text: string): readonly (readonly string[])[] {
  const paragraphs: string[][] = [];
  let open = false;
  for (const raw of text.split(/\r\n|[\r\n]/)) {
    const line = raw.trim();
    if (line !== '' && open) paragraphs.at(-1)!.push(line);
    else if (line !== '') paragraphs.push([line]);
    open = line !== '';
  }
  return paragraphs;
}
