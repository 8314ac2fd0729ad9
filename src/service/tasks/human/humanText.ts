import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { decodeTranscript, TranscriptSchema } from '../../../protocol/transcriptJson.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import { READABLE_TEXT, textFormat } from '../../../transcript/formats/textFormat.ts';
import type { Transcript, TranscriptElement } from '../../../transcript/model/model.ts';
import { elementsOfText } from '../../../transcript/text/tokens.ts';
import { joinedTurns } from '../joinedTurns.ts';
import { type Line, refuseUnknownSpeakers } from './unknownSpeakers.ts';

/** A speaker at the start of a line: `Speaker 1:`, or with a time as in plain text transcripts. */
const NUMBERED = /^Speaker (\d{1,4})(?::|\s+(?:\d+:)?\d+:\d\d(?=\s|$))\s*/iu;
/** End of the name of a speaker at the start of a line. */
const AFTER_NAME = /^(?::|\s+(?:\d+:)?\d+:\d\d(?=\s|$))/u;
/** A mark for unintelligible speech. */
const MARK = /[[<]\s*(inaudible|unintelligible|indistinct|crosstalk)\b[^\]>\n]{0,60}[\]>]/giu;

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/**
 * Parses text written by a person. Lines may begin with `Speaker 1:`, or with the name of a speaker and a colon; a time may
 * stand for the colon, as in plain text transcripts. Other lines continue the previous turn. Marks such as `[inaudible]` become
 * `unknown` elements. Times are ignored: they are computed again.
 *
 * @param speakerNames names of the speakers from 0 upwards
 * @throws InvalidArgumentError for labels of other speakers
 */
export function parseHumanText(text: string, speakerNames: readonly string[] = []): Transcript {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/);
  const labelled = lines.map(line => turnOf(line.trim(), speakerNames));
  refuseUnknownSpeakers(labelled, speakerNames);
  let speaker = 0;
  const turns = labelled.map(turn => {
    speaker = turn.speaker ?? speaker;
    return { speaker, elements: placedElements(turn.text).map(({ element }) => element) };
  });
  return joinedTurns(turns);
}

function turnOf(line: string, speakerNames: readonly string[]): Line {
  const numbered = NUMBERED.exec(line);
  if (numbered) return { speaker: Number(numbered[1]), text: line.slice(numbered[0].length) };
  const start = line.toLowerCase();
  for (const [speaker, given] of speakerNames.entries()) {
    const name = given.trim();
    const isStart = name !== '' && start.startsWith(name.toLowerCase());
    const rest = isStart ? line.slice(name.length) : '';
    const [mark] = AFTER_NAME.exec(rest) ?? [];
    if (mark !== undefined) return { speaker, text: rest.slice(mark.length) };
  }
  return { text: line };
}

/**
 * Returns the names of the speakers of a text by their numbers, for {@link parseHumanText}: those that people have given at the
 * desk, and those of the customer at other numbers than those of its labels. The names do not determine which voice has which
 * number.
 */
export function namesForText(
  text: string,
  { given = [], offered = [] }: { readonly given?: readonly string[]; readonly offered?: readonly string[] },
): readonly string[] {
  const numbers = new Set(text.split(/[\r\n]/).map(line => Number(NUMBERED.exec(line.trim())?.[1])));
  const names = [...given];
  for (const name of offered.filter(each => !given.includes(each))) {
    let free = 0;
    while (numbers.has(free) || names[free]) free++;
    names[free] = name;
  }
  return Array.from(names, name => name ?? '');
}

/** Returns turns as text that {@link parseHumanText} reads back: a turn a line. */
export function writeHumanText(
  turns: readonly { readonly speaker: number; readonly text: string }[],
  speakerNames: readonly string[] = [],
): string {
  const labelOf = (speaker: number) => {
    const name = speakerNames[speaker]?.trim() ?? '';
    // Another speaker may have the same name, or one that begins with it and a colon.
    const isRead = /^[^\r\n]+$/.test(name) && turnOf(`${name}:`, speakerNames).speaker === speaker;
    return isRead ? `${name}:` : `Speaker ${speaker}:`;
  };
  return turns.map(({ speaker, text }) => `${labelOf(speaker)} ${text}\n`).join('');
}

/** An element of a line with its place: start and end (exclusive), in UTF-16 units. */
export interface PlacedElement {
  readonly element: TranscriptElement;
  readonly from: number;
  readonly to: number;
}

const TOKEN = /[^\s\p{Cc}]+/gu;

/** Returns the elements of one line of text, without times. Marks such as `[inaudible]` become `unknown` elements. */
export function placedElements(line: string): readonly PlacedElement[] {
  const placed: PlacedElement[] = [];
  const add = (element: TranscriptElement, from: number, to: number) => {
    const end = placed.at(-1)?.to ?? from;
    if (end < from) placed.push({ element: SPACE, from: end, to: from });
    placed.push({ element, from, to });
  };
  const addText = (start: number, end: number) => {
    for (const token of line.slice(start, end).matchAll(TOKEN)) {
      let from = start + token.index;
      for (const element of elementsOfText(token[0])) {
        add(element, from, from + element.value.length);
        from += element.value.length;
      }
    }
  };
  let reached = 0;
  for (const { index, 0: mark, 1: kind = '' } of line.matchAll(MARK)) {
    addText(reached, index);
    reached = index + mark.length;
    add({ type: 'unknown', value: `<${kind.toLowerCase()}>` }, index, reached);
  }
  addText(reached, line.length);
  return placed;
}

/**
 * Parses the result of a person: a transcript in the wire format, or text as for {@link parseHumanText}.
 *
 * @throws InvalidArgumentError for a result without words, for another format such as subtitles, for labels of unknown speakers, and for JSON that is not a transcript
 */
export function parseHumanTranscript(contents: string, speakerNames: readonly string[] = []): Transcript {
  const isJson = /^\uFEFF?\s*[{[]\s*["{\]}]/u.test(contents);
  const format = textFormat(contents);
  if (!isJson && !READABLE_TEXT.includes(format)) {
    throw new InvalidArgumentError(`The transcript must be text or JSON, not ${format}.`);
  }
  const transcript = isJson ? readJson(contents) : parseHumanText(contents, speakerNames);
  if (transcript.monologues.some(({ elements }) => elements.length > 0)) return transcript;
  throw new InvalidArgumentError('The transcript has no words.');
}

function readJson(contents: string): Transcript {
  const json = jsonOf(contents.replace(/^\uFEFF/, ''));
  if (json === undefined) throw new InvalidArgumentError('The transcript is damaged JSON.');
  if (Value.Check(TranscriptSchema, json)) return decodeTranscript(json);
  const [error] = Value.Errors(TranscriptSchema, json);
  const where = error?.instancePath || 'its top level';
  throw new InvalidArgumentError(`The JSON is not a transcript: it differs from the format at ${where}.`);
}
