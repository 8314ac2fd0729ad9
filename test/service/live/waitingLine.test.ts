import { expect, test } from 'vitest';
import { createWaitingLine } from '../../../src/service/live/waitingLine.ts';

/** Returns the order in which the items are served. */
type WaitingLine = ReturnType<typeof createWaitingLine<string>>;

function order(line: WaitingLine): readonly string[] {
  const served: string[] = [];
  for (let item = line.first; item !== undefined; item = line.first) {
    served.push(item);
    line.remove(item[0]!, item, { served: true });
  }
  return served;
}

function lineOf(...items: readonly string[]): WaitingLine {
  const line = createWaitingLine<string>();
  for (const item of items) line.add(item[0]!, item);
  return line;
}

test('accounts take turns, and each is served in order', () => {
  expect(order(lineOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an account that comes again has its turn after the others', () => {
  const line = lineOf('a1', 'b1', 'b2');
  line.remove('a', 'a1', { served: true });
  line.add('a', 'a2');
  expect(order(line)).toEqual(['b1', 'a2', 'b2']);
});

test('one that gives up does not cost its account a turn', () => {
  const line = lineOf('a1', 'a2', 'b1');
  line.remove('a', 'a1', { served: false });
  expect(order(line)).toEqual(['a2', 'b1']);
});

test('the size is that of all accounts', () => {
  const line = lineOf('a1', 'a2', 'b1');
  expect(line.size).toBe(3);
  line.remove('a', 'a2', { served: false });
  line.remove('a', 'a2', { served: false });
  expect(line.size).toBe(2);
  expect(order(line)).toEqual(['a1', 'b1']);
  expect(line.size).toBe(0);
  expect(line.first).toBeUndefined();
});
