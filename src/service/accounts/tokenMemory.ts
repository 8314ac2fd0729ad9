import type { Clock } from '../../base/clock.ts';
import type { Caller } from './accounts.ts';

/** Milliseconds for which a known token is accepted while the store cannot be reached. */
export const TOKEN_MEMORY_MS = 60_000;
/** Milliseconds after which a known token is checked again, in the background: another process may have revoked it. */
export const TOKEN_FRESH_MS = 3000;
const MAX_TOKENS = 10_000;

export interface TokenMemoryOptions {
  readonly clock: Clock;
  /** Returns the account of the token with this hash. */
  readonly ask: (hash: string) => Promise<Caller | undefined>;
}

interface Known {
  readonly caller: Caller;
  readonly freshUntilMs: number;
  readonly untilMs: number;
}

/** Creates a cache of the accounts of tokens, by the hashes of the tokens. */
export function createTokenMemory({ clock, ask }: TokenMemoryOptions) {
  const known = new Map<string, Known>();
  /** Lookups in progress: concurrent requests with the same token share one. */
  const asking = new Map<string, Promise<Caller | undefined>>();

  function askOnce(hash: string): Promise<Caller | undefined> {
    const answer = ask(hash).then(caller => {
      // Unless the cache was invalidated meanwhile.
      if (asking.get(hash) !== answer) return caller;
      const now = clock.now();
      if (caller) keep(hash, { caller, freshUntilMs: now + TOKEN_FRESH_MS, untilMs: now + TOKEN_MEMORY_MS });
      else known.delete(hash);
      return caller;
    });
    asking.set(hash, answer);
    const over = () => {
      if (asking.get(hash) === answer) asking.delete(hash);
    };
    answer.then(over, over);
    return answer;
  }

  function keep(hash: string, entry: Known): void {
    if (known.size >= MAX_TOKENS) known.clear();
    known.set(hash, entry);
  }

  return {
    async find(hash: string): Promise<Caller | undefined> {
      const entry = known.get(hash);
      if (entry && clock.now() < entry.untilMs) {
        if (clock.now() >= entry.freshUntilMs && !asking.has(hash)) askOnce(hash).catch(() => {});
        return entry.caller;
      }
      return asking.get(hash) ?? askOnce(hash);
    },
    /** Adds a token that is valid until the cache is cleared. */
    add: (hash: string, caller: Caller) => keep(hash, { caller, freshUntilMs: Infinity, untilMs: Infinity }),
    /** Drops all tokens of an account. */
    forget(accountId: string): void {
      asking.clear();
      for (const [hash, { caller }] of known) {
        if (caller.accountId === accountId) known.delete(hash);
      }
    },
    clear(): void {
      asking.clear();
      known.clear();
    },
  };
}

/** Lookups that run at the same time: more than one, so that one that hangs does not block the others. */
const MAX_RUNNING = 2;
/** Keys of one lookup. */
const MAX_KEYS = 500;

interface Question<T> {
  readonly key: string;
  readonly answer: PromiseWithResolvers<T | undefined>;
}

/**
 * Batches the lookups of keys that arrive while others run: two run at a time, each for up to 500 keys, in the order of
 * arrival. Returns the lookup of one key.
 *
 * @param lookUp resolves with values by key; its error rejects all lookups of the batch
 */
export function joinLookups<T>(
  lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  const waiting: Question<T>[] = [];
  let running = 0;

  async function answer(questions: readonly Question<T>[]): Promise<void> {
    running++;
    try {
      const found = await lookUp(questions.map(({ key }) => key));
      for (const { key, answer } of questions) answer.resolve(found.get(key));
    } catch (error) {
      for (const { answer } of questions) answer.reject(error);
    }
    running--;
    next();
  }

  function next(): void {
    if (waiting.length > 0 && running < MAX_RUNNING) void answer(waiting.splice(0, MAX_KEYS));
  }

  return key => {
    const question: Question<T> = { key, answer: Promise.withResolvers<T | undefined>() };
    waiting.push(question);
    next();
    return question.answer.promise;
  };
}
