import { isPlainText, readPlainText } from '../../transcript/formats/plainText.ts';
import type { ReferenceSegment } from './reference.ts';
import { segmentsOfTranscript } from './transcriptReference.ts';

/** A name has at most three words, each beginning with a capital, a digit or a letter of a script without capitals. */
const NAME_WORD = String.raw`[\p{Lu}\p{Lt}\p{Lo}\p{N}][\p{L}\p{M}\p{N}._'’\-]{0,39}`;
const NAMED = new RegExp(`^(?<speaker>${NAME_WORD}(?: ${NAME_WORD}){0,2}):\\s+(?<text>\\S.*)$`, 'u');

/**
 * Parses plain text into a segment per paragraph, or per line where no blank line separates paragraphs. An empty text
 * has no segments.
 *
 * `Name:` before a line sets the speaker from there on, if it is unambiguous: it looks like a name (`Ann`, `Dr. Low`,
 * `Speaker 1`), the first line has one, and either a name occurs twice or at least half of the paragraphs or lines have
 * one.
 */
export function parseText(text: string): readonly ReferenceSegment[] {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  if (isPlainText(first)) return segmentsOfTranscript(readPlainText(text));
  const paragraphs = paragraphsOf(text);
  if (namesSpeakers(paragraphs)) return turnsOf(paragraphs);
  return paragraphs.length > 1
    ? paragraphs.map(lines => ({ text: lines.join(' ') }))
    : paragraphs.flat().map(text => ({ text }));
}

/** Splits a text at blank lines into paragraphs, and these into lines. */
function paragraphsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split(/\r\n|[\r\n]/).map(line => line.trim());
  const paragraphs = lines.join('\n').split(/\n{2,}/);
  return paragraphs
    .map(paragraph => paragraph.split('\n').filter(line => line !== ''))
    .filter(({ length }) => length > 0);
}

function namesSpeakers(paragraphs: readonly (readonly string[])[]): boolean {
  const lines = paragraphs.flat();
  const names = lines.flatMap(line => NAMED.exec(line)?.groups?.speaker ?? []);
  const units = paragraphs.length > 1 ? paragraphs.length : lines.length;
  const isFirst = NAMED.test(lines[0] ?? '');
  return isFirst && names.length > 1 && (names.length * 2 >= units || new Set(names).size < names.length);
}

/** Splits paragraphs into turns. A speaker lasts until another is named; each paragraph is a segment of its own. */
function turnsOf(paragraphs: readonly (readonly string[])[]): readonly ReferenceSegment[] {
  const turns: { speaker: string; text: string }[] = [];
  for (const paragraph of paragraphs) {
    for (const [index, line] of paragraph.entries()) {
      const { speaker, text } = NAMED.exec(line)?.groups ?? {};
      const last = turns.at(-1);
      if (last && speaker === undefined && index > 0) last.text += ` ${line}`;
      else turns.push({ speaker: speaker ?? last!.speaker, text: text ?? line });
    }
  }
  return turns;
}
