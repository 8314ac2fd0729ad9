import type { Clock } from '../../base/clock.ts';
import type { Caller } from './accounts.ts';

/** How long a token that was found is believed without asking the store again. */
export const TOKEN_MEMORY_MS = 60_000;
const MAX_TOKENS = 10_000;

export interface TokenMemoryOptions {
  readonly clock: Clock;
  /** Says whose the token of a hash is. */
  readonly ask: (hash: string) => Promise<Caller | undefined>;
}

/** Whose a token is, by the token's hash; what was asked is known for a while. */
export interface TokenMemory {
  find(hash: string): Promise<Caller | undefined>;
  /** Believes it until the memory is cleared. */
  add(hash: string, caller: Caller): void;
  /** Forgets all tokens of an account. */
  forget(accountId: string): void;
  clear(): void;
}

export function createTokenMemory({ clock, ask }: TokenMemoryOptions): TokenMemory {
  const known = new Map<string, { readonly caller: Caller; readonly untilMs: number }>();
  /** Asked for at this moment: all who bring the same token at once share an answer. */
  const asking = new Map<string, Promise<Caller | undefined>>();

  function askOnce(hash: string): Promise<Caller | undefined> {
    const answer = ask(hash).then(caller => {
      // Unless there was something to forget meanwhile.
      if (caller && asking.get(hash) === answer) keep(hash, caller, clock.now() + TOKEN_MEMORY_MS);
      return caller;
    });
    asking.set(hash, answer);
    const over = () => {
      if (asking.get(hash) === answer) asking.delete(hash);
    };
    answer.then(over, over);
    return answer;
  }

  function keep(hash: string, caller: Caller, untilMs: number): void {
    if (known.size >= MAX_TOKENS) known.clear();
    known.set(hash, { caller, untilMs });
  }

  return {
    async find(hash) {
      const entry = known.get(hash);
      if (entry && clock.now() < entry.untilMs) return entry.caller;
      return asking.get(hash) ?? askOnce(hash);
    },
    add: (hash, caller) => keep(hash, caller, Number.POSITIVE_INFINITY),
    forget(accountId) {
      asking.clear();
      for (const [hash, { caller }] of known) if (caller.accountId === accountId) known.delete(hash);
    },
    clear() {
      asking.clear();
      known.clear();
    },
  };
}
