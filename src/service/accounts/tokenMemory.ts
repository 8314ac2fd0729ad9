import type { Clock } from '../../base/clock.ts';

/** How long a token that was found is believed without asking the store again. */
export const TOKEN_MEMORY_MS = 60_000;
const MAX_TOKENS = 10_000;

/** Which account a token belongs to, by the token's hash, as far as it was asked of late. */
export interface TokenMemory {
  find(hash: string): string | undefined;
  /** @param keepMs default {@link TOKEN_MEMORY_MS} */
  add(hash: string, accountId: string, keepMs?: number): void;
  clear(): void;
}

export function createTokenMemory(clock: Clock): TokenMemory {
  const tokens = new Map<string, { readonly accountId: string; readonly untilMs: number }>();
  return {
    find(hash) {
      const known = tokens.get(hash);
      return known && clock.now() < known.untilMs ? known.accountId : undefined;
    },
    add(hash, accountId, keepMs = TOKEN_MEMORY_MS) {
      if (tokens.size >= MAX_TOKENS) tokens.clear();
      tokens.set(hash, { accountId, untilMs: clock.now() + keepMs });
    },
    clear: () => tokens.clear(),
  };
}
