import { expect } from 'vitest';
import type { ErrorCode } from '../../src/base/errors.ts';

/** Matches an error by its code, and by a part of its message or a pattern of it. */
export function errorLike(code: ErrorCode, message: string | RegExp) {
  const isLike =
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  return { code, message: isLike };
}
