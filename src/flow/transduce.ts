import { concat, concatMap, defer, type ObservableInput, type OperatorFunction } from 'rxjs';

/** The state of an operator that emits any number of values for each input, and more at the end. */
export interface Transducer<T, R> {
  next(value: T): ObservableInput<R>;
  /** Called when the source completes, but not when it fails. */
  end(): ObservableInput<R>;
}

/**
 * Makes an operator of a transducer, a new one for each subscription. With generators for both functions, values are computed
 * only when they are needed, and thrown errors fail the stream.
 */
export function transduce<T, R>(create: () => Transducer<T, R>): OperatorFunction<T, R> {
  return source =>
    defer(() => {
      const transducer = create();
      return concat(
        source.pipe(concatMap(value => transducer.next(value))),
        defer(() => transducer.end()),
      );
    });
}
