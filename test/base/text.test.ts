import { expect, test } from 'vitest';
import { printableJson } from '../../src/base/text.ts';

const HOSTILE = { 'key\u202e': 'a\u009b31mb\u0007c\u200d\ud83d\ude00\n' };

test('printable JSON has no control characters, and means the same', () => {
  const text = printableJson(HOSTILE);
  expect(text).toBe(String.raw`{"key\u202e":"a\u009b31mb\u0007c\u200d😀\n"}`);
  expect(JSON.parse(text)).toEqual(HOSTILE);
});

test('printable JSON may be indented', () => {
  expect(printableJson({ a: ['\u009b'] }, 2)).toBe('{\n  "a": [\n    "\\u009b"\n  ]\n}');
});
