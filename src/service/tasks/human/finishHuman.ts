import {
  type TextElement,
  type Transcript,
  type TranscriptElement,
  withoutPunct,
} from '../../../transcript/model/model.ts';
import { pairWords } from '../../../transcript/text/pairWords.ts';
import { maskProfanity } from '../../../transcript/text/profanity.ts';
import { wordKey } from '../../../transcript/text/tokens.ts';
import type { Segment, TranscriptionInput } from '../inputs.ts';
import { segmentsWithin } from '../inputs.ts';
import { joinedTurns } from '../joinedTurns.ts';
import type { Span } from '../speakers.ts';
import { withWireTimes } from '../wireTimes.ts';
import { knownTimes, placeWords, type RecognizedWord, type WrittenWord } from './placeWords.ts';
import type { TimeAxis } from './timeAxis.ts';

/** The machine transcript of a job, to be finished by a person. */
export interface Draft {
  readonly transcript: Transcript;
  /** Seconds of media. */
  readonly seconds: number;
}

/** Confidence of words written by a person, unless stated. */
const HUMAN_CONFIDENCE = 1;

/** Letters assumed for unintelligible speech, to estimate its length. */
const UNKNOWN_LETTERS = 6;

/**
 * Returns the transcript of a job finished by a person: the person's words at the times found by the machine, within the
 * requested segments, formatted with the options of the job.
 *
 * @example
 * const work = parseHumanTranscript('Anna: Good morning.\nBen: [inaudible]', ['Anna', 'Ben']);
 * const transcript = finishHuman(work, { transcript: machine, seconds: 60 }, input);
 */
export function finishHuman(work: Transcript, draft: Draft, input: TranscriptionInput): Transcript {
  const timed = withTimes(work, draft, boundsOf(draft.seconds, input.human?.segments));
  const masked = input.filterProfanity ? withoutProfanity(timed) : timed;
  const spoken = input.skipDiarization
    ? joinedTurns(masked.monologues.map(({ elements }) => ({ speaker: 0, elements })))
    : masked;
  return input.skipPunctuation ? withoutPunct(spoken) : spoken;
}

/** Returns the words of a machine whose middle lies in a segment, with the marks after them. Default: all. */
export function wordsWithin({ monologues }: Transcript, segments?: readonly Segment[]): Transcript {
  let isWithin = segments === undefined;
  const keeps = (element: TranscriptElement) => {
    const span = element.type === 'text' ? spanOf(element) : undefined;
    const middle = span && (span.ts + span.endTs) / 2;
    if (segments && middle !== undefined) {
      isWithin = segments.some(({ start, end }) => middle >= start && middle <= end);
    }
    return isWithin;
  };
  const kept = monologues.map(monologue => ({ ...monologue, elements: monologue.elements.filter(keeps) }));
  return { monologues: kept.filter(({ elements }) => elements.length > 0) };
}

function boundsOf(seconds: number, segments?: readonly Segment[]): TimeAxis {
  return segmentsWithin(seconds, segments).map(({ start, end }) => ({ ts: start, endTs: end }));
}

function withTimes(work: Transcript, draft: Draft, bounds: TimeAxis): Transcript {
  const placed = placeWords(writtenWords(work), recognizedWords(draft), bounds);
  const timed = mapWords(work, placed, (word, span) => ({ confidence: HUMAN_CONFIDENCE, ...word, ...span }));
  return withWireTimes(timed, bounds);
}

/**
 * Returns the words of a person with the times of the same words of the machine in the same place; other words keep their
 * times.
 */
export function withMachineTimes(work: Transcript, draft: Draft, input: TranscriptionInput): Transcript {
  const bounds = boundsOf(draft.seconds, input.human?.segments);
  const known = knownTimes(writtenWords(work), recognizedWords(draft), bounds);
  return mapWords(work, known, (word, span) => ({ ...word, ...span }));
}

/** Numbers of the words of a machine, and of those that a person changed; letter case and marks do not count. */
interface Corrections {
  /** Number of words of the machine within the requested segments. */
  readonly words: number;
  /** Number of these words that the person's work does not have in their place. */
  readonly changedWords: number;
}

/** Compares a person's work with the draft of the machine. */
export function correctionsIn(work: Transcript, draft: Draft, { human }: TranscriptionInput): Corrections {
  const machine = { ...draft, transcript: wordsWithin(draft.transcript, human?.segments) };
  const words = recognizedWords(machine).flatMap(({ key }) => key || []);
  const keys = writtenWords(work).map(({ key }) => key);
  return { words: words.length, changedWords: words.length - pairWords(words, keys).length };
}

function writtenWords({ monologues }: Transcript): readonly WrittenWord[] {
  return monologues.flatMap(({ speaker, elements }) =>
    elements.filter(takesTime).map(element => ({ ...writtenWord(element), speaker })),
  );
}

function recognizedWords({ transcript }: Draft): readonly RecognizedWord[] {
  return transcript.monologues.flatMap(({ elements }) => elements.flatMap(recognizedWord));
}

/** Changes the words of a transcript, each with the time that was found for it. */
function mapWords<Found>(
  work: Transcript,
  found: readonly Found[],
  change: (word: TextElement, found: Found) => TextElement,
): Transcript {
  let next = 0;
  return mapElements(work, element => {
    if (!takesTime(element)) return element;
    const one = found[next++]!;
    return element.type === 'text' ? change(element, one) : element;
  });
}

const takesTime = ({ type }: TranscriptElement) => type !== 'punct';

function writtenWord(element: TranscriptElement): Omit<WrittenWord, 'speaker'> {
  if (element.type !== 'text') return { key: '', letters: UNKNOWN_LETTERS };
  return { key: wordKey(element.value), letters: element.value.length, span: spanOf(element) };
}

function recognizedWord(element: TranscriptElement): readonly RecognizedWord[] {
  const span = element.type === 'text' && spanOf(element);
  return span ? [{ key: wordKey(element.value), ...span }] : [];
}

function spanOf({ ts, endTs }: TextElement): Span | undefined {
  return ts === undefined || endTs === undefined ? undefined : { ts, endTs };
}

function withoutProfanity(transcript: Transcript): Transcript {
  return mapElements(transcript, element =>
    element.type === 'text' ? { ...element, value: maskProfanity(element.value) } : element,
  );
}

function mapElements(
  { monologues }: Transcript,
  change: (element: TranscriptElement) => TranscriptElement,
): Transcript {
  return {
    monologues: monologues.map(monologue => ({ ...monologue, elements: monologue.elements.map(change) })),
  };
}
