/** Yields the results of a function in the order of its items, with a number of calls at the same time. */
export async function* ahead<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  call: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = call(item);
      // An error is reported when the result is yielded.
      result.catch(() => {});
      running.push(result);
      if (running.length === concurrency) yield* running.splice(0, 1);
    }
    yield* running;
  } finally {
    await Promise.allSettled(running);
  }
}
