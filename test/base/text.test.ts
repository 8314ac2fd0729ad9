import { expect, test } from 'vitest';
import { printableJson } from '../../src/base/text.ts';

const HOSTILE = { 'key\u202e': 'a\u009b31mb\u0007c\u200d\ud83d\ude00\n' };

test('printable JSON has no control characters, and means the same', () => {
  const text = printableJson(HOSTILE);
  expect(text).toBe(String.raw`{"key\u202e":"a\u009b31mb\u0007c\u200d😀\n"}`);
  expect(JSON.parse(text)).toEqual(HOSTILE);
});

test('printable JSON has numbers of at most four decimals', () => {
  const numbers = [0.1 + 0.2, 2.5999999999999996, 0.39000000000000035, 1 / 3, -2 / 3, 2 ** 53 - 1, 1e-9];
  expect(printableJson(numbers)).toBe('[0.3,2.6,0.39,0.3333,-0.6667,9007199254740991,0]');
});

test('printable JSON may be indented', () => {
  expect(printableJson({ a: ['\u009b'] }, 2)).toBe('{\n  "a": [\n    "\\u009b"\n  ]\n}');
});
