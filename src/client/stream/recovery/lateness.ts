import { audioFrames, type SourceGaps } from './sourceTime.ts';

/** The knowledge about the words of the current attempt: up to where they came, and when they were due. */
export interface Lateness {
  /** Positions of the sent audio in the past, in order. */
  readonly marks: readonly Mark[];
  /** Frame of the source up to which words of this attempt came. */
  readonly coveredFrame: number;
  /** Frame of the source up to which words of any attempt came. */
  readonly reachedFrame: number;
  /** Attempts in a row that were late: the sound may be no speech, or both services are slow. */
  readonly lateAttempts: number;
  /** Time from which new words prove that a service is well again. */
  readonly provenMs: number;
  /** Kind of words of this attempt: a service that sends only finals is never late. */
  readonly words: 'none' | 'finals' | 'partials';
  /** True when the last words may still change. */
  readonly isWithinUtterance: boolean;
  /** Time of the last new words. */
  readonly wordsMs: number;
  /** Longest time between new words of an utterance, in milliseconds; older ones count less. */
  readonly spacingMs: number;
  /** Time of the last check. */
  readonly checkedMs: number | undefined;
}

interface Mark {
  readonly frame: number;
  /** Time by which a service that reads somewhat faster than real time has read the audio before the frame. */
  readonly dueMs: number;
}

/**
 * Times until words are late, as shares of the time for a takeover. The first words of an utterance take longer: recognisers
 * wait until they hear some of it.
 */
const WAIT_SHARE = { within: 0.45, between: 0.7, most: 1.1 } as const;

/**
 * Times until words are late, and until another service goes on, as shares of the usual longest time between new words: those
 * of a healthy service may be 2 s apart. With each new word, a longer time before counts less.
 */
const SPACING_SHARE = { late: 0.7, takeOver: 1.2, next: 0.97 } as const;

/**
 * Least duration of sound without words that counts as late, as a share of the time for a takeover: a cough, or a filler
 * word that is left out, is shorter.
 */
const SOUND_SHARE = 0.25;

/** Checks in the time for a takeover. */
const CHECKS = 20;

/** Speed at which a service reads a backlog at least. */
const READ_SPEED = 1.1;

/**
 * Factor of the wait after each late attempt in a row. Words that come {@link PROOF_MS} or more after the last late check
 * reset it. Otherwise music, or two slow services, would open another link again and again.
 */
const WAIT_FACTOR = 4;
const PROOF_MS = 30_000;
const MAX_WAIT_MS = 300_000;

/** The state before the first attempt. No word has come, so that the first sounds are no proof of a slow service. */
export const startOfLateness: Lateness = {
  marks: [{ frame: 0, dueMs: 0 }],
  coveredFrame: 0,
  reachedFrame: 0,
  lateAttempts: 1,
  provenMs: 0,
  words: 'none',
  isWithinUtterance: false,
  wordsMs: 0,
  spacingMs: 0,
  checkedMs: undefined,
};

/** Returns the milliseconds between two checks. */
export function checkIntervalMs(takeOverMs: number): number {
  return takeOverMs / CHECKS;
}

/** Returns the state of an attempt that is ready, and begins at a frame of the source. */
export function withStart(lateness: Lateness, frame: number, nowMs: number): Lateness {
  return {
    ...lateness,
    marks: [{ frame, dueMs: nowMs }],
    coveredFrame: frame,
    words: 'none',
    isWithinUtterance: false,
  };
}

/** Words that came at some time. */
export interface ArrivedWords {
  readonly type: 'partial' | 'final';
  /** Frame of the source. */
  readonly endFrame: number;
  readonly nowMs: number;
}

/** Returns the state after words. */
export function withWords(lateness: Lateness, { type, endFrame, nowMs }: ArrivedWords): Lateness {
  const { coveredFrame, reachedFrame, wordsMs, spacingMs, isWithinUtterance } = lateness;
  const words = type === 'partial' || lateness.words === 'partials' ? 'partials' : 'finals';
  const isNew = endFrame > reachedFrame;
  const spaced = isWithinUtterance ? Math.max(nowMs - wordsMs, spacingMs * SPACING_SHARE.next) : spacingMs;
  return {
    ...lateness,
    words,
    ...(endFrame > coveredFrame && { wordsMs: nowMs, spacingMs: spaced }),
    isWithinUtterance: type === 'partial',
    coveredFrame: Math.max(coveredFrame, endFrame),
    ...(isNew && { reachedFrame: endFrame }),
    ...(isNew && nowMs >= lateness.provenMs && { lateAttempts: 0 }),
  };
}

/** Returns the state after a partial that takes back the words before it. */
export function withoutTail(lateness: Lateness): Lateness {
  return { ...lateness, isWithinUtterance: false };
}

/** The surroundings at the moment of a check. */
export interface LatenessView {
  readonly nowMs: number;
  /** Frame of the source before which all audio was sent. */
  readonly sentFrame: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly gaps: SourceGaps;
  /** Returns the frames of sound in a range of the source. */
  readonly soundFrames: (fromFrame: number, toFrame: number) => number;
}

/**
 * Returns the state after a check, whether words are late (enough sound is old enough and has none), and whether they are
 * behind: so late that a service with words up to `otherFrame` should go on.
 *
 * @param otherFrame frame of the source up to which a service beside this one has words; undefined without one, when each late
 * attempt gives the next one more time
 */
export function withCheck(
  lateness: Lateness,
  view: LatenessView,
  takeOverMs: number,
  otherFrame?: number,
): { readonly lateness: Lateness; readonly isLate: boolean; readonly isBehind: boolean } {
  const { nowMs } = view;
  const { lateAttempts, checkedMs = nowMs } = lateness;
  const isHedged = otherFrame !== undefined;
  const factor = isHedged ? 1 : WAIT_FACTOR ** lateAttempts;
  const lateMs = Math.min(waitOf(lateness, 'late', takeOverMs) * factor, MAX_WAIT_MS);
  const behindMs = waitOf(lateness, 'takeOver', takeOverMs);
  const all = [...lateness.marks, nextMark(lateness.marks.at(-1)!, view)];
  const isOld = ({ dueMs }: Mark) => dueMs <= nowMs - Math.max(lateMs, behindMs);
  const marks = all.slice(Math.max(0, all.findLastIndex(isOld)));
  const lacksWords = (waitMs: number, untilFrame = Number.POSITIVE_INFINITY) => {
    const mark = marks.findLast(({ dueMs }) => dueMs <= nowMs - waitMs);
    const endFrame = Math.min(mark?.frame ?? 0, untilFrame);
    const soundMs = (view.soundFrames(lateness.coveredFrame, endFrame) / view.sampleRate) * 1000;
    return soundMs >= takeOverMs * SOUND_SHARE;
  };
  // After a pause of this process, answers may wait in its sockets.
  const isDelayed = nowMs - checkedMs > 3 * checkIntervalMs(takeOverMs);
  const isLate = lateness.words !== 'finals' && lacksWords(lateMs) && !(isDelayed && !isHedged);
  const isBehind = isLate && !isDelayed && lacksWords(behindMs, otherFrame);
  const late = isLate && !isHedged && { lateAttempts: lateAttempts + 1, provenMs: nowMs + PROOF_MS };
  return { lateness: { ...lateness, marks, checkedMs: nowMs, ...late }, isLate, isBehind };
}

function waitOf(
  { isWithinUtterance, spacingMs }: Lateness,
  wait: 'late' | 'takeOver',
  takeOverMs: number,
): number {
  const { within, between, most } = WAIT_SHARE;
  if (!isWithinUtterance) return between * takeOverMs;
  const usualMs = Math.min(spacingMs * SPACING_SHARE[wait], (wait === 'late' ? between : most) * takeOverMs);
  return Math.max(within * takeOverMs, usualMs);
}

function nextMark(last: Mark, { nowMs, sentFrame, sampleRate, gaps }: LatenessView): Mark {
  const audioMs = (audioFrames(gaps, last.frame, sentFrame) / sampleRate) * 1000;
  return { frame: sentFrame, dueMs: Math.max(nowMs, last.dueMs + audioMs / READ_SPEED) };
}
