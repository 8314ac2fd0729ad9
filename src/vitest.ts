/**
 * Matchers and fixtures for Vitest. Importing it in a test, or naming it under `setupFiles`, adds the matchers of
 * {@link ReplayMatchers} to `expect`.
 *
 * @module
 */

import './base/toolkitNode.ts';
import { expect } from 'vitest';
import type { ReplayMatchers } from './replay/vitest/matcherTypes.ts';
import { registerMatchers } from './replay/vitest/replayMatchers.ts';

export { type Recording, type ReplayFixtures, replayFixtures } from './replay/vitest/fixtures.ts';
export type { ReplayMatchers } from './replay/vitest/matcherTypes.ts';
export type { ReferenceFile, ReferenceValue } from './replay/vitest/referenceInput.ts';
export { registerMatchers, replayMatchers } from './replay/vitest/replayMatchers.ts';
export type { ScoringOptions } from './replay/vitest/scoreHeard.ts';
export type { StabilityLimits } from './replay/vitest/toBeStable.ts';
export type { DelayOptions } from './replay/vitest/toHaveDelayBelow.ts';
export type { TranscribeExpectation } from './replay/vitest/toTranscribe.ts';

registerMatchers(expect);

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends ReplayMatchers<R> {}
}
