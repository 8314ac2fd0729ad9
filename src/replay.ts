/**
 * Measures for tests of whatever streams speech.
 *
 * @module
 */

export { shownSteps } from './captions/shownSteps.ts';
export { scoreWords, type WordScore } from './replay/score/scoreWords.ts';
export { type CueRule, type CueViolation, cueViolations } from './transcript/cues/cueViolations.ts';
export { partialSteps, type Stability, type StabilityStep, stabilityOf } from './transcript/stability.ts';
export { wordsOf } from './transcript/wordsOf.ts';
