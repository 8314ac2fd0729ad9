import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { Admission } from './admission.ts';
import { ENDINGS, type EndingDecision } from './ending.ts';

/** Between two looks whether the token of a stream is still good. */
export const TOKEN_CHECK_MS = 2500;

/** Ends a stream whose token was revoked; one whose token cannot be looked up goes on. Returns the stop. */
export function watchToken(
  { isTokenGood }: Admission,
  decision: EndingDecision,
  { clock }: { readonly clock: Clock },
): () => void {
  const check = async () => {
    if (!(await isTokenGood())) decision.decide(ENDINGS.revoked);
  };
  return every(TOKEN_CHECK_MS, check, { clock, onError: () => {} });
}
