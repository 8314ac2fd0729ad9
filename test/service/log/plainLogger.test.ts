import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { plainLogger } from '../../../src/service/log/plainLogger.ts';

/** Returns the output of a log without colours. */
function written(log: (logger: ReturnType<typeof plainLogger>) => void): string {
  const output = new PassThrough();
  log(plainLogger('info', output as unknown as NodeJS.WriteStream));
  return String(output.read() ?? '');
}

test('a record is a line with its time, level and fields', () => {
  const line = written(logger => logger.info({ status: 200, route: '/jobs/:id' }, 'request'));
  expect(line).toMatch(
    /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] INFO: request \{"status":200,"route":"\/jobs\/:id"\}\n$/,
  );
});

test('records below the level are not written', () => {
  expect(written(logger => logger.debug('hidden'))).toBe('');
});

test('an error has its stack below it', () => {
  const text = written(logger => logger.error({ err: new Error('no database') }, 'store'));
  expect(text).toMatch(/ERROR: store ?\n[\s\S]*Error: no database\n\s+at /);
});

test.each([
  ['an escape sequence', 'a\u001b[31mred\u0007'],
  ['a control character of the second set', 'a\u009b31mred'],
  ['a new line', 'a\rred\nb'],
  ['what only looks like an escaped one', 'C:\\u001bred'],
])('%s does not reach the terminal', (_, text) => {
  const output = written(logger => logger.info({ text }, text));
  expect(output).toMatch(/INFO: .*red.*\n$/);
  expect(output.split('\n').length).toBe(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});
