import { expect, test } from 'vitest';
import { languageOf } from '../../src/protocol/language.ts';

test.each([
  ['en', 'en'],
  ['en-US', 'en'],
  ['en-us', 'en'],
  ['en_US', 'en'],
  ['EN', 'en'],
  ['en_US.UTF-8', 'en'],
  ['de_DE@euro', 'de'],
  ['zh-Hans-CN', 'zh'],
  ['yue-HK', 'yue'],
  ['es-419', 'es'],
  ['de-CH-1996', 'de'],
])('%s is the language %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

test.each(['', 'e', 'english', 'en US', 'en-', '-US', 'en--US', 'en-Transylvanian', 'en\n'])(
  'what is no tag stays as it is: %j',
  tag => {
    expect(languageOf(tag)).toBe(tag);
  },
);
