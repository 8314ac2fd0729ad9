import type { Monologue, Transcript, TranscriptElement } from '../../../transcript/model/model.ts';
import { elementsOfText } from '../../../transcript/text/tokens.ts';

/** Who speaks, at the start of a line: `Speaker 1:`, or as plain text transcripts have it, with a time. */
const NUMBERED = /^Speaker (\d{1,4})(?::|\s+(?:\d+:)?\d+:\d\d(?=\s|$))\s*/u;
/** What could not be understood. */
const MARK = /[[<]\s*(inaudible|unintelligible|indistinct|crosstalk)\b[^\]>\n]{0,60}[\]>]/giu;

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/**
 * Reads what a person wrote: lines that may begin with `Speaker 1:`, or with the name of one of the speakers and a colon;
 * others go on the turn before. Marks such as `[inaudible]` become `unknown` elements. Times are not believed: they are
 * found anew.
 *
 * @param speakerNames in the order of their numbers, from 0
 */
export function readHumanText(text: string, speakerNames: readonly string[] = []): Transcript {
  const monologues: { speaker: number; elements: TranscriptElement[] }[] = [];
  let speaker = 0;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/)) {
    const turn = turnOf(line.trim(), speakerNames);
    speaker = turn.speaker ?? speaker;
    const elements = elementsOfLine(turn.text);
    if (elements.length === 0) continue;
    const open = monologues.at(-1);
    // One by one: as arguments of one call the words of an hour are too many.
    if (open?.speaker === speaker) for (const element of [SPACE, ...elements]) open.elements.push(element);
    else monologues.push({ speaker, elements: [...elements] });
  }
  return { monologues: monologues satisfies readonly Monologue[] };
}

function turnOf(line: string, speakerNames: readonly string[]): { speaker?: number; text: string } {
  const numbered = NUMBERED.exec(line);
  if (numbered) return { speaker: Number(numbered[1]), text: line.slice(numbered[0].length) };
  const start = line.toLowerCase();
  const speaker = speakerNames.findIndex(name => start.startsWith(`${name.trim().toLowerCase()}:`));
  if (speaker < 0) return { text: line };
  return { speaker, text: line.slice(speakerNames[speaker]!.trim().length + 1) };
}

function elementsOfLine(line: string): readonly TranscriptElement[] {
  const elements: TranscriptElement[] = [];
  const add = (text: string) => {
    const between = elementsOfText(text);
    if (elements.length > 0 && /^\s/u.test(text)) elements.push(SPACE);
    for (const element of between) elements.push(element);
    if (between.length > 0 && /\s$/u.test(text)) elements.push(SPACE);
  };
  let reached = 0;
  for (const mark of line.matchAll(MARK)) {
    add(line.slice(reached, mark.index));
    elements.push({ type: 'unknown', value: `<${mark[1]!.toLowerCase()}>` });
    reached = mark.index + mark[0].length;
  }
  add(line.slice(reached).trimEnd());
  return elements;
}
