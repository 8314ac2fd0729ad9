/**
 * Gives `expect` of vitest the matchers of {@link ReplayMatchers}: imported in a test, or named under `setupFiles`.
 *
 * @module
 */

import './base/toolkitNode.ts';
import { expect } from 'vitest';
import type { ReplayMatchers } from './replay/vitest/matcherTypes.ts';
import { registerMatchers } from './replay/vitest/replayMatchers.ts';

registerMatchers(expect);

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends ReplayMatchers<R> {}
}
