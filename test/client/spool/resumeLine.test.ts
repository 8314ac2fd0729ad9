import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resumeLine } from '../../../src/client/spool/resumeLine.ts';

test('a line to resume is plain where it can be', () => {
  expect(resumeLine('talk.spool')).toBe('rxscribe resume talk.spool');
  expect(resumeLine('talk.spool', { human: true })).toBe('rxscribe resume talk.spool --human');
  expect(resumeLine("it's a talk", { url: 'ws://a/b?c' })).toBe(
    `rxscribe resume 'it'\\''s a talk' --url 'ws://a/b?c'`,
  );
});

test('a line to resume has the path as one word for a shell, which is no option', () => {
  const paths = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter(path => !path.includes('\0'));
  const examples = ["'", '-x', 'a b', '$(id)', '`id`', 'é'];
  const tried = [...examples, ...fc.sample(paths, 50)];
  const lines = tried.map(path => resumeLine(path).replace('rxscribe', "printf '%s\\0'"));
  const words = execFileSync('bash', ['-c', lines.join('\n')], { encoding: 'utf8' }).split('\0');
  const expected = tried.flatMap(path => ['resume', path.startsWith('-') ? `./${path}` : path]);
  expect(words).toEqual([...expected, '']);
});
