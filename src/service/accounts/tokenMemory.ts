import type { Clock } from '../../base/clock.ts';
import type { Caller } from './accounts.ts';

/** The time for which a token that was found is accepted while the store cannot be asked again. */
export const TOKEN_MEMORY_MS = 60_000;
/** After so long the store is asked again: another service may have revoked the token. Nobody waits for the answer. */
export const TOKEN_FRESH_MS = 3000;
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

interface Known {
  readonly caller: Caller;
  readonly freshUntilMs: number;
  readonly untilMs: number;
}

export function createTokenMemory({ clock, ask }: TokenMemoryOptions): TokenMemory {
  const known = new Map<string, Known>();
  /** Asked for at this moment: all who bring the same token at once share an answer. */
  const asking = new Map<string, Promise<Caller | undefined>>();

  function askOnce(hash: string): Promise<Caller | undefined> {
    const answer = ask(hash).then(caller => {
      // Unless there was something to forget meanwhile.
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
    async find(hash) {
      const entry = known.get(hash);
      if (entry && clock.now() < entry.untilMs) {
        if (clock.now() >= entry.freshUntilMs && !asking.has(hash)) askOnce(hash).catch(() => {});
        return entry.caller;
      }
      return asking.get(hash) ?? askOnce(hash);
    },
    add: (hash, caller) =>
      keep(hash, { caller, freshUntilMs: Number.POSITIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }),
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

/** Lookups that run at the same time: one that hangs does not hold all others. */
const MAX_RUNNING = 2;
/** Keys of one lookup. */
const MAX_KEYS = 500;

interface Question<T> {
  readonly key: string;
  readonly answer: PromiseWithResolvers<T | undefined>;
}

/**
 * Joins lookups that come while others run: however many are asked for, two run at a time, each for up to 500 keys, in
 * the order in which they came. Returns the lookup of one key.
 *
 * @param lookUp resolves with what was found, by key; its error is that of all who asked
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
