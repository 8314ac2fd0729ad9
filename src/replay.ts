/**
 * Measures for tests of whatever streams speech.
 *
 * @module
 */

export { shownSteps } from './captions/shownSteps.ts';
export { type CueRule, type CueViolation, cueViolations } from './transcript/cues/cueViolations.ts';
export { scoreWords, type WordScore, wordsOf } from './transcript/scoring.ts';
export { partialSteps, type Stability, type StabilityStep, stabilityOf } from './transcript/stability.ts';
