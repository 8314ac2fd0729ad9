import { expect, test } from 'vitest';
import { messageJson, messageText } from '../../../src/replay/cassette/cassetteLines.ts';

test('a message keeps its text, whether JSON.stringify reproduces it or not', () => {
  const message = { type: 'connected', id: 'a' };
  const text = '{"type": "connected", "id": "a"}';
  expect([messageJson({ message }), messageJson({ text })]).toEqual([message, message]);
  expect([messageText({ message }), messageText({ text })]).toEqual([JSON.stringify(message), text]);
});

test('a text that is not JSON has no JSON value', () => {
  expect(messageJson({ text: 'hm?' })).toBeUndefined();
  expect(messageJson({ text: '' })).toBeUndefined();
});
