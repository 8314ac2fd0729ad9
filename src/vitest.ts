/**
 * Matchers and fixtures for Vitest. Importing it in a test, or naming it under `setupFiles`, adds the matchers of
 * {@link ReplayMatchers} to `expect`.
 *
 * @module
 */

import './base/toolkitNode.ts';
import { expect } from 'vitest';
import { type ReplayMatchers, registerMatchers } from './replay/vitest/replayMatchers.ts';

export { type ReplayFixtures, replayFixtures } from './replay/vitest/fixtures.ts';
export type { ReferenceFile, ReferenceValue } from './replay/vitest/matcherInput.ts';
export type { ReplayMatchers } from './replay/vitest/replayMatchers.ts';
export { registerMatchers, replayMatchers } from './replay/vitest/replayMatchers.ts';
export type { DelayOptions, StabilityLimits } from './replay/vitest/runMatchers.ts';
export type { TranscribeExpectation } from './replay/vitest/sessionMatchers.ts';
export type { ScoringOptions } from './replay/vitest/wordMatchers.ts';

registerMatchers(expect);

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends ReplayMatchers<R> {}
}
