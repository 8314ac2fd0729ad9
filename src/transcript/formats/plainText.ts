import { namedOptions } from '../../base/namedOptions.ts';
import { BREAK_COST, breakCost } from '../cues/breakCost.ts';
import { namedSpeaker, speakerNumbers } from '../cues/transcriptOfCues.ts';
import type { Monologue, TextElement, Transcript, TranscriptElement } from '../model/model.ts';
import { elementsOfText, type Token, tokensOf } from '../text/tokens.ts';
import { clockTime } from './timestamp.ts';

/** Text between speaker, time and text. */
const GAP = '    ';

export interface PlainTextOptions {
  /** Format of the start of a turn; in `mm:ss` minutes continue after 59. Default `hh:mm:ss`. */
  readonly times?: 'hh:mm:ss' | 'mm:ss';
  /** Text between speaker, time and text. Default four spaces. */
  readonly gap?: string;
  /** Writes one block under the first speaker and time. Default false: one line per turn. */
  readonly skipDiarization?: boolean;
}

/**
 * Writes a transcript as text, one line per turn, with the name of a speaker who has one; turns without text are left out.
 *
 * @example
 * import { writePlainText } from 'rxscribe';
 *
 * const elements = [{ type: 'text', value: 'Hello', ts: 0.2, endTs: 0.6 }] as const;
 * writePlainText({ monologues: [{ speaker: 0, elements }] }); // 'Speaker 0    00:00:00    Hello\n'
 */
export function writePlainText(transcript: Transcript, options: PlainTextOptions = {}): string {
  namedOptions('PlainTextOptions', options);
  const { times = 'hh:mm:ss', gap = GAP, skipDiarization = false } = options;
  const turns = skipDiarization ? oneTurn(turnsOf(transcript)) : turnsOf(transcript);
  return turns.map(({ label, ts, text }) => `${label}${gap}${clockTime(ts, times)}${gap}${text}\n`).join('');
}

/** Options of {@link writeParagraphs}. */
export interface ParagraphOptions {
  /** ISO 639-1 code, for the ends of sentences. Default `en`. */
  readonly language?: string;
  /** Speaker of the text that the paragraphs continue, as {@link lastLabelOf} returns it. Default: they begin a text. */
  readonly labelBefore?: string | undefined;
}

/**
 * Writes a transcript as paragraphs for people who read it, with a blank line between two. The speaker stands before the first
 * paragraph of each turn; a text of one speaker without a name has none.
 */
export function writeParagraphs(transcript: Transcript, options: ParagraphOptions = {}): string {
  const turns = turnsOf(transcript, tokens => paragraphsOf(tokens, options.language ?? 'en'));
  const labels = new Set(turns.map(({ label }) => label));
  const [label = ''] = labels;
  let before = options.labelBefore ?? (labels.size === 1 && /^Speaker \d+$/.test(label) ? label : undefined);
  const paragraphs = turns.map(({ label, ts, text }) => {
    const speaker = label === before ? '' : label + GAP;
    before = label;
    return `${speaker}${clockTime(ts, 'hh:mm:ss')}${GAP}${text}\n`;
  });
  return paragraphs.join('\n');
}

/** Returns the name or number of the last speaker of a transcript. */
export const lastLabelOf = (transcript: Transcript) => turnsOf(transcript).at(-1)?.label;

interface Turn {
  readonly label: string;
  readonly ts: number;
  readonly text: string;
}

/** Returns the turns with text; a turn without times takes the time of the one before. */
function turnsOf(
  { monologues }: Transcript,
  split: (tokens: readonly Token[]) => readonly (readonly Token[])[] = tokens => [tokens],
): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { speaker, speakerInfo, elements } of monologues) {
    const label = speakerInfo?.displayName.replace(/\s+/gu, ' ').trim() || `Speaker ${speaker}`;
    for (const tokens of split(tokensOf(elements))) {
      const text = tokens.map(token => token.text).join(' ');
      const ts = tokens.find(token => token.ts !== undefined)?.ts ?? turns.at(-1)?.ts ?? 0;
      if (text !== '') turns.push({ label, ts, text });
    }
  }
  return turns;
}

function oneTurn(turns: readonly Turn[]): readonly Turn[] {
  const [first] = turns;
  return first ? [{ ...first, text: turns.map(turn => turn.text).join(' ') }] : [];
}

/** The start of a turn; four spaces follow a name, which may have spaces. Without a name, the speaker before continues. */
const TURN =
  /^(?:(?=\d{2,6}:\d\d:\d\d {4})|(?<label>Speaker \d{1,9}|\S(?:.*?\S)?(?= {4}))\s+)(?:(?<hours>\d{1,6}):)?(?<minutes>\d{1,6}):(?<seconds>\d{2})(?:\s+(?<text>.*))?$/u;

/** Returns whether each line that is not blank begins a turn, as {@link writePlainText} and {@link writeParagraphs} write it. */
export function isPlainText(text: string): boolean {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/);
  return lines.every(line => line.trim() === '' || TURN.test(line));
}

/**
 * Reads the formats of {@link writePlainText} and {@link writeParagraphs}. The first word of each turn gets the time of the turn,
 * the others have none.
 *
 * Names get the numbers that no `Speaker 2` has, in order. Lines of another form continue the turn before; text before the first
 * turn belongs to speaker 0, without times.
 *
 * @example
 * import { readPlainText } from 'rxscribe';
 *
 * readPlainText('Speaker 1    00:00:05    Good morning.').monologues[0]?.speaker; // 1
 */
export function readPlainText(text: string): Transcript {
  const turns: { label: string; ts?: number; text: string }[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/)) {
    const turn = TURN.exec(line)?.groups;
    if (turn) {
      const { label = turns.at(-1)?.label ?? 'Speaker 0', hours = 0, minutes, seconds, text = '' } = turn;
      const ts = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      turns.push({ label, ts, text });
    } else if (line.trim() !== '') {
      const open = turns.at(-1) ?? { label: 'Speaker 0', text: '' };
      if (turns.length === 0) turns.push(open);
      open.text += ` ${line}`;
    }
  }
  const numbers = speakerNumbers(turns.map(({ label }) => label));
  const monologues = turns.map(({ label, ts, text }): Monologue => {
    const speaker = numbers.get(label)!;
    return { speaker, ...namedSpeaker(speaker, label), elements: elementsFrom(text, ts) };
  });
  return { monologues: monologues.filter(({ elements }) => elements.length > 0) };
}

function elementsFrom(text: string, ts: number | undefined): readonly TranscriptElement[] {
  const elements = elementsOfText(text);
  const first = elements.findIndex(element => element.type === 'text');
  if (ts === undefined || first < 0) return elements;
  return elements.with(first, { ...(elements[first] as TextElement), ts });
}

/** Seconds without words that end a paragraph. */
const PAUSE_SECONDS = 4;
/** Characters after which a paragraph ends with its sentence, and after which it ends anyway. */
const LONG = 500;
const LONGEST = 1500;

/**
 * Splits the words of one speaker into paragraphs: at a long pause, and at the end of a sentence of a long paragraph. Later words
 * do not change the paragraphs before.
 *
 * @param language ISO 639-1 code, optionally with a region
 */
function paragraphsOf(tokens: readonly Token[], language: string): readonly (readonly Token[])[] {
  const paragraphs: Token[][] = [];
  let length = 0;
  for (const token of tokens) {
    const last = paragraphs.at(-1)?.at(-1);
    const pause = (token.ts ?? 0) - (last?.endTs ?? Number.POSITIVE_INFINITY);
    const isSentence = last && breakCost(last.text, token.text, language) === BREAK_COST.sentence;
    const begins = !last || pause >= PAUSE_SECONDS || length > (isSentence ? LONG : LONGEST);
    if (begins) paragraphs.push([]);
    paragraphs.at(-1)?.push(token);
    length = (begins ? 0 : length) + token.text.length + 1;
  }
  return paragraphs;
}
