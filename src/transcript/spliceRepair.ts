import { type Said, saidIn, speakersIn } from './besideHole.ts';
import type { LiveEvent } from './events.ts';
import { matchSpeakers } from './matchSpeakers.ts';
import type { Monologue, Transcript, TranscriptElement } from './model.ts';
import {
  type HeardWord,
  heardWords,
  middleOf,
  overlapByHalf,
  repeatedWords,
  SAME_WORD_SECONDS,
} from './repeatedWords.ts';
import { joinPieces, type WordPiece, wordPieces } from './wordPieces.ts';

/** A hole, and what is known beside it. Times in seconds on the clock of the live transcript. */
export interface RepairPlace {
  /** Where the audio of the job begins: the hole with margins. */
  readonly audioTs: number;
  /** The hole. */
  readonly ts: number;
  readonly endTs: number;
  /** Finals, repairs and other holes of the margins, and of the same channel; other events are passed over. */
  readonly beside: readonly LiveEvent[];
  /** Numbers of all speakers of the live transcript that are told apart. Default those of `beside`. */
  readonly speakersInUse?: Iterable<number>;
}

/**
 * The transcript of a job over a hole and its margins as what belongs in the hole: `monologues` of a repair.
 *
 * A word belongs where its middle is. Words that the live text has already are left out; those that reach into the hole
 * from a margin are kept where the live text has none. Marks stay with their words. Speakers are those of the live
 * transcript where they share time in the margins, else new ones.
 *
 * @example
 * const monologues = spliceRepair(transcript, { audioTs: 58, ts: 60, endTs: 75, beside: finals })
 */
export function spliceRepair(job: Transcript, place: RepairPlace): readonly Monologue[] {
  const heard = job.monologues.map(turn => ({ ...turn, elements: shifted(turn.elements, place.audioTs) }));
  const live = saidIn(place.beside);
  const speakers = matchSpeakers(heard, live, place.speakersInUse ?? speakersIn(place.beside));
  const turns = heard.map(({ elements }) => wordPieces(elements));
  const kept = keptPieces(turns.flat(), live, place);
  return heard.flatMap((turn, index) => {
    const elements = joinPieces(turns[index]!.filter(piece => kept.has(piece)));
    return elements.length === 0 ? [] : [{ ...turn, speaker: speakers.get(turn.speaker)!, elements }];
  });
}

function shifted(elements: readonly TranscriptElement[], seconds: number): readonly TranscriptElement[] {
  return elements.map(element => {
    if (element.type !== 'text' || element.ts === undefined) return element;
    const { ts, endTs } = element;
    return { ...element, ts: ts + seconds, ...(endTs !== undefined && { endTs: endTs + seconds }) };
  });
}

/** A piece without times goes with the one before it; at the very start with the one after. */
function keptPieces(
  pieces: readonly WordPiece[],
  live: readonly Said[],
  place: RepairPlace,
): ReadonlySet<WordPiece> {
  const words = heardWords(pieces.map(piece => piece.elements.find(({ type }) => type !== 'punct')!));
  const belongs = wordsOfHole(words, inTime(live.flatMap(({ elements }) => heardWords(elements))), place);
  const isTimed = new Set(words.map(({ index }) => index));
  let isKept = words.length === 0 || belongs.has(words[0]!.index);
  return new Set(
    pieces.filter((_, index) => {
      if (isTimed.has(index)) isKept = belongs.has(index);
      return isKept;
    }),
  );
}

/** Indexes of the words that belong in the hole. */
function wordsOfHole(
  words: readonly HeardWord[],
  live: readonly HeardWord[],
  { ts, endTs, beside }: RepairPlace,
): ReadonlySet<number> {
  const isInHole = (seconds: number) => seconds >= ts && seconds < endTs;
  const isWithin = (type: LiveEvent['type'], seconds: number) =>
    beside.some(
      event => event.type === type && 'ts' in event && seconds >= event.ts && seconds < event.endTs,
    );
  // Of a hole that was repaired it is known whether the word is there.
  const isInOpenHole = (seconds: number) => isWithin('hole', seconds) && !isWithin('repair', seconds);
  const isNear = (left: HeardWord, right: HeardWord) =>
    Math.max(left.ts, right.ts) - Math.min(left.endTs, right.endTs) <= SAME_WORD_SECONDS;
  const near = words.filter(word => live.some(other => isNear(word, other)));
  const known = new Set(repeatedWords(live, inTime(near), seconds => !isInHole(seconds)));
  const isMissing = (word: HeardWord) =>
    !isInOpenHole(middleOf(word)) && !live.some(other => overlapByHalf(word, other));
  const own = words.filter(word => {
    if (known.has(word)) return false;
    return isInHole(middleOf(word)) || (word.ts < endTs && word.endTs > ts && isMissing(word));
  });
  return new Set(own.map(({ index }) => index));
}

const inTime = (words: readonly HeardWord[]) => words.toSorted((left, right) => left.ts - right.ts);
