import { readPlainText } from '../../transcript/formats/plainText.ts';
import type { ReferenceSegment } from './reference.ts';
import { segmentsOfTranscript } from './transcriptReference.ts';

/** As this program writes transcripts as text. */
const WRITTEN_HERE = /^Speaker \d{1,9}\s+(?:\d+:)+\d{2}(?:\s|$)/u;
/** At most three words, each with a capital (or of a script without) or a digit first. */
const NAME_WORD = String.raw`[\p{Lu}\p{Lt}\p{Lo}\p{N}][\p{L}\p{M}\p{N}._'’\-]{0,39}`;
const NAMED = new RegExp(`^(?<speaker>${NAME_WORD}(?: ${NAME_WORD}){0,2}):\\s+(?<text>\\S.*)$`, 'u');

/**
 * The segments of a plain text: its paragraphs, or its lines where no blank line parts them. An empty text has none.
 *
 * `Name:` before a line says who speaks, from there on, where it can be nothing else: it looks like a name (`Ann`, `Dr.
 * Low`, `Speaker 1`), the first line has one, and there are more: one that comes again, or one for at least half of the
 * paragraphs or lines.
 */
export function parseText(text: string): readonly ReferenceSegment[] {
  if (WRITTEN_HERE.test(text.trimStart())) return segmentsOfTranscript(readPlainText(text));
  const paragraphs = paragraphsOf(text);
  if (namesSpeakers(paragraphs)) return turnsOf(paragraphs);
  return paragraphs.length > 1
    ? paragraphs.map(lines => ({ text: lines.join(' ') }))
    : paragraphs.flat().map(text => ({ text }));
}

function namesSpeakers(paragraphs: readonly (readonly string[])[]): boolean {
  const lines = paragraphs.flat();
  const names = lines.flatMap(line => NAMED.exec(line)?.groups?.speaker ?? []);
  const units = paragraphs.length > 1 ? paragraphs.length : lines.length;
  const isFirst = NAMED.test(lines[0] ?? '');
  return isFirst && names.length > 1 && (names.length * 2 >= units || new Set(names).size < names.length);
}

/** What follows a name is of its speaker until another is named; a paragraph is a segment of its own. */
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
