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
