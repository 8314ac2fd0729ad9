import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resumeLine } from '../../../src/client/spool/resumeLine.ts';

test('a line to resume is plain where it can be', () => {
  expect(resumeLine('talk.spool')).toBe('rxscribe resume talk.spool');
  expect(resumeLine('talk.spool', { human: true })).toBe('rxscribe resume talk.spool --human');
  expect(resumeLine("it's a talk", { keyFile: 'my key', url: 'ws://a/b?c' })).toBe(
    `rxscribe resume 'it'\\''s a talk' --spool-key-file 'my key' --url 'ws://a/b?c'`,
  );
});

test('a line to resume has the path as one word for a shell, which is no option', () => {
  const paths = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter(path => !path.includes('\0'));
  fc.assert(
    fc.property(paths, path => {
      const line = resumeLine(path).replace('rxscribe', "printf '%s\\n'");
      const [command, word] = [execFileSync('bash', ['-c', `${line} .`], { encoding: 'utf8' })].map(text => [
        text.slice(0, 7),
        text.slice(7, -3),
      ])[0]!;
      expect(command).toBe('resume\n');
      expect(word).toBe(path.startsWith('-') ? `./${path}` : path);
    }),
    { numRuns: 50, examples: [["'"], ['-x'], ['a b'], ['$(id)'], ['`id`'], ['é']] },
  );
});
