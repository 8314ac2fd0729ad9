import { TestScheduler } from 'rxjs/testing';
import { expect, test } from 'vitest';
import { transduce } from '../../src/flow/transduce.ts';

const scheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

/** Gives each letter as often as letters came, and at the end their number. */
const countUp = () =>
  transduce<string, string>(() => {
    let count = 0;
    return {
      *next(letter) {
        count++;
        if (letter === 'x') throw 'bad letter';
        for (let i = 0; i < count; i++) yield letter;
      },
      *end() {
        yield String(count);
      },
    };
  });

test('each value gives any number of values, and the end gives the rest', () => {
  scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
    const source = cold(' -a---b---|');
    const expected = '    -a---(bb)(2|)';
    expectObservable(source.pipe(countUp())).toBe(expected);
    expectSubscriptions(source.subscriptions).toBe('^--------!');
  });
});

test('an error of the source passes at once, without the rest', () => {
  scheduler().run(({ cold, expectObservable }) => {
    expectObservable(cold('-a-#').pipe(countUp())).toBe('-a-#');
  });
});

test('an error of the transducer fails the stream, and ends the source', () => {
  scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
    const source = cold('-a-x-a-|');
    expectObservable(source.pipe(countUp())).toBe('-a-#', undefined, 'bad letter');
    expectSubscriptions(source.subscriptions).toBe('^--!');
  });
});

test('unsubscribing leaves the source', () => {
  scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
    const source = cold('-a-b-c-|');
    expectObservable(source.pipe(countUp()), '---^-!').toBe('----a-');
    expectSubscriptions(source.subscriptions).toBe('---^-!');
  });
});

test('each subscription has its own state', () => {
  scheduler().run(({ cold, expectObservable }) => {
    const counted = cold('-a-|').pipe(countUp());
    expectObservable(counted).toBe('-a-(1|)');
    expectObservable(counted).toBe('-a-(1|)');
  });
});
