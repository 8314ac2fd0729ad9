import type { Monologue, Transcript, TranscriptElement } from '../model/model.ts';
import { heardWords, inTime } from '../text/repeatedWords.ts';
import { joinPieces, type WordPiece, wordPieces } from '../text/wordPieces.ts';
import { clockShift, MAX_SHIFT_SECONDS } from './clockShift.ts';
import { matchSpeakers } from './matchSpeakers.ts';
import { type Said, saidIn, speakersIn } from './speakerTurns.ts';
import { type HolePlace, wordsNear, wordsOfHole } from './wordsOfHole.ts';

/** A hole, and what is known beside it. */
export interface RepairPlace extends HolePlace {
  /** Numbers of all speakers of the live transcript that are told apart. Default those of `beside`. */
  readonly speakersInUse?: Iterable<number>;
}

/**
 * The transcript of a job over a hole and its margins as what belongs in the hole: `monologues` of a repair.
 *
 * A word belongs where its middle is. Words that the live text has already are left out; those that reach into the hole
 * from a margin are kept where the live text has none. Marks stay with their words. Speakers are those of the live
 * transcript where they share time in the margins, else new ones. Times that all differ from those of the live text by
 * the same are put right.
 *
 * @example
 * const monologues = spliceRepair(transcript, { audioTs: 58, ts: 60, endTs: 75, beside: finals })
 */
export function spliceRepair(job: Transcript, place: RepairPlace): readonly Monologue[] {
  const live = saidIn(place.beside);
  const heard = onClockOf(live, movedBy(job.monologues, place.audioTs));
  const speakers = matchSpeakers(heard, live, place.speakersInUse ?? speakersIn(place.beside));
  const turns = heard.map(({ elements }) => wordPieces(elements));
  const kept = keptPieces(turns.flat(), live, place);
  return heard.flatMap((turn, index) => {
    const elements = joinPieces(turns[index]!.filter(piece => kept.has(piece)));
    return elements.length === 0 ? [] : [{ ...turn, speaker: speakers.get(turn.speaker)!, elements }];
  });
}

/** A job tells times a little earlier or later than a stream does, all of them: the words that both have say how much. */
function onClockOf(live: readonly Said[], heard: readonly Monologue[]): readonly Monologue[] {
  const later = wordsNear(wordsIn(heard), wordsIn(live), MAX_SHIFT_SECONDS);
  const shift = clockShift(wordsNear(wordsIn(live), later, MAX_SHIFT_SECONDS), later);
  return shift === 0 ? heard : movedBy(heard, -shift);
}

function movedBy(monologues: readonly Monologue[], seconds: number): readonly Monologue[] {
  const moved = (element: TranscriptElement) => {
    if (element.type !== 'text' || element.ts === undefined) return element;
    const { ts, endTs } = element;
    return { ...element, ts: ts + seconds, ...(endTs !== undefined && { endTs: endTs + seconds }) };
  };
  return monologues.map(turn => ({ ...turn, elements: turn.elements.map(moved) }));
}

/** A piece without times goes with the one before it; at the very start with the one after. */
function keptPieces(
  pieces: readonly WordPiece[],
  live: readonly Said[],
  place: RepairPlace,
): ReadonlySet<WordPiece> {
  const words = heardWords(pieces.map(piece => piece.elements.find(({ type }) => type !== 'punct')!));
  const own = wordsOfHole(inTime(words), wordsIn(live), place);
  const belongs = new Set(own.map(({ index }) => index));
  const isTimed = new Set(words.map(({ index }) => index));
  let isKept = words.length === 0 || belongs.has(words[0]!.index);
  return new Set(
    pieces.filter((_, index) => {
      if (isTimed.has(index)) isKept = belongs.has(index);
      return isKept;
    }),
  );
}

const wordsIn = (said: readonly Said[]) => inTime(said.flatMap(({ elements }) => heardWords(elements)));
