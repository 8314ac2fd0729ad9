import { expect, test } from 'vitest';
import { messageJson, messageText } from '../../../src/replay/cassette/cassetteLines.ts';

test('a message is the same, printed as JSON.stringify does it or in another way', () => {
  const message = { type: 'connected', id: 'a' };
  const text = '{"type": "connected", "id": "a"}';
  expect([messageJson({ message }), messageJson({ text })]).toEqual([message, message]);
  expect([messageText({ message }), messageText({ text })]).toEqual([JSON.stringify(message), text]);
});

test('a text that is no JSON says nothing in JSON', () => {
  expect(messageJson({ text: 'hm?' })).toBeUndefined();
  expect(messageJson({ text: '' })).toBeUndefined();
});
