import type { Monologue, Transcript, TranscriptElement } from '../model/model.ts';
import { inOrder, timedWords } from '../text/repeatedWords.ts';
import { joinPieces, type WordPiece, wordPieces } from '../text/wordPieces.ts';
import { clockShift, MAX_SHIFT_SECONDS } from './clockShift.ts';
import { matchSpeakers } from './matchSpeakers.ts';
import { type SpeakerTurn, speakersIn, turnsIn, wordsIn } from './speakerTurns.ts';
import { type HolePlace, wordsNear, wordsOfHole } from './wordsOfHole.ts';

/** A hole and the transcript around it. */
export interface RepairPlace extends HolePlace {
  /** Speaker numbers of the whole live transcript. Default: those in `beside`. */
  readonly speakersInUse?: Iterable<number>;
}

/**
 * Returns the `monologues` of a repair: the part that belongs in a hole, of the transcript of a job over the hole and its margins.
 *
 * A word belongs where its middle is. Words that the live transcript already has are left out; words that extend into the hole
 * from a margin are kept where the live transcript has none. Punctuation stays with its word. Speakers are matched by overlap in
 * the margins (see {@link matchSpeakers}). A constant offset between the times of the job and the live transcript is corrected.
 *
 * @example
 * const elements = [{ type: 'text', value: 'Hello', ts: 3, endTs: 4 }] as const;
 * const job = { monologues: [{ speaker: 0, elements }] };
 * spliceRepair(job, { audioTs: 58, ts: 60, endTs: 75, beside: [] }); // 'Hello' from 61 to 62 s
 */
export function spliceRepair(job: Transcript, place: RepairPlace): readonly Monologue[] {
  const live = turnsIn(place.beside);
  const jobTurns = onClockOf(live, movedBy(job.monologues, place.audioTs));
  const speakers = matchSpeakers(jobTurns, live, place.speakersInUse ?? speakersIn(place.beside));
  const turns = jobTurns.map(turn => ({ turn, pieces: wordPieces(turn.elements) }));
  const allPieces = turns.flatMap(({ pieces }) => pieces);
  const kept = keptPieces(allPieces, live, place);
  return turns.flatMap(({ turn, pieces }) => {
    const elements = joinPieces(pieces.filter(piece => kept.has(piece)));
    return elements.length === 0 ? [] : [{ ...turn, speaker: speakers.get(turn.speaker)!, elements }];
  });
}

/** Corrects the constant offset of the times of a job, measured by the words that both transcripts have. */
function onClockOf(live: readonly SpeakerTurn[], jobTurns: readonly Monologue[]): readonly Monologue[] {
  const later = wordsNear(wordsIn(jobTurns), wordsIn(live), MAX_SHIFT_SECONDS);
  const shift = clockShift(wordsNear(wordsIn(live), later, MAX_SHIFT_SECONDS), later);
  return shift === 0 ? jobTurns : movedBy(jobTurns, -shift);
}

/** Moves the times of all words by some seconds. */
export function movedBy(monologues: readonly Monologue[], seconds: number): readonly Monologue[] {
  const moved = (element: TranscriptElement) => {
    if (element.type === 'punct' || element.ts === undefined) return element;
    const { ts, endTs } = element;
    return { ...element, ts: ts + seconds, endTs: endTs === undefined ? undefined : endTs + seconds };
  };
  return monologues.map(turn => ({ ...turn, elements: turn.elements.map(moved) }));
}

/** Returns the pieces that belong in the hole. Pieces without times follow the one before; at the start, the one after. */
function keptPieces(
  pieces: readonly WordPiece[],
  live: readonly SpeakerTurn[],
  place: RepairPlace,
): ReadonlySet<WordPiece> {
  const words = timedWords(pieces.map(piece => piece.elements.find(({ type }) => type !== 'punct')!));
  const own = wordsOfHole(inOrder(words), wordsIn(live), place);
  const belongs = new Set(own.map(({ index }) => index));
  const isTimed = new Set(words.map(({ index }) => index));
  const [first] = words;
  let isKept = !first || belongs.has(first.index);
  return new Set(
    pieces.filter((_, index) => {
      if (isTimed.has(index)) isKept = belongs.has(index);
      return isKept;
    }),
  );
}
