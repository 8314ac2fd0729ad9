import { expect, test } from 'vitest';
import { githubAnnotations, summaryText, withoutCommands } from '../../../src/replay/report/githubReport.ts';
import type { GateCheck } from '../../../src/replay/report/report.ts';
import { alignedText, fileOf, reportOf } from './exampleReport.ts';

const worse = { kind: 'threshold', measure: 'wer', passed: false, value: 0.5, limit: 0.4 } as const;
const failing = (checks: readonly GateCheck[], files = [fileOf('one', [])]) =>
  reportOf(files, { gate: { passed: false, checks } });

test('each failed check is an annotation at its place, with the differences of the file', () => {
  const file = fileOf('one', alignedText('he was young', { was: 'is' }, 2));
  const checks = [
    { ...worse, file: 'one', message: 'wer 50 % is above 40 %' },
    { ...worse, passed: true, message: 'fine' },
    { ...worse, message: 'all is worse' },
  ];
  const place = (name: string | undefined) =>
    name === 'one' ? { file: 'a/suite.yaml', line: 7 } : undefined;
  expect(githubAnnotations(failing(checks, [file]), place)).toBe(
    '::error file=a/suite.yaml,line=7,title=one::wer 50 %25 is above 40 %25%0AREF  he WAS young%0AHYP  he IS  young\n' +
      '::error title=samples::all is worse\n',
  );
});

test('no text of a report ends an annotation or begins another command', () => {
  const text = 'a::b,c%0A\r\n::add-mask::x\n##[error]';
  const file = { file: text, line: 1 };
  const printed = githubAnnotations(failing([{ ...worse, file: text, message: text }]), () => file);
  expect(printed.match(/[\r\n]/g)).toEqual(['\n']);
  const name = 'a%3A%3Ab%2Cc%250A%0D%0A%3A%3Aadd-mask%3A%3Ax%0A##[error]';
  expect(printed).toBe(
    `::error file=${name},line=1,title=${name}::a::b,c%250A%0D%0A::add-mask::x%0A##[error]\n`,
  );
});

test('of many failures nine are annotations, and the tenth has their number', () => {
  const checks = Array.from({ length: 12 }, (_, index) => ({ ...worse, message: `failure ${index}` }));
  const printed = githubAnnotations(failing(checks), () => undefined)
    .trimEnd()
    .split('\n');
  expect(printed).toHaveLength(10);
  expect(printed.at(-1)).toBe('::error title=samples::and 3 more failures');
  expect(githubAnnotations(failing(checks.slice(2)), () => undefined).split('\n')).toHaveLength(11);
});

test('of many failures the rest is a warning when all of it is invalid', () => {
  const checks = Array.from({ length: 12 }, (_, index) => ({
    ...worse,
    message: `failure ${index}`,
    isInvalid: index !== 5,
  }));
  const levels = (all: readonly GateCheck[]) =>
    [...githubAnnotations(failing(all), () => undefined).matchAll(/^::(\w+)/gm)].map(([, level]) => level);
  expect(levels(checks)).toEqual([...Array(5).fill('warning'), 'error', ...Array(4).fill('warning')]);
  expect(levels(checks.toReversed()).at(-1)).toBe('warning');
  expect(levels([...checks.slice(6), ...checks.slice(0, 6)]).at(-1)).toBe('error');
});

test('commands are off while a text is printed', () => {
  expect(withoutCommands('::error::x\n', 'token')).toBe('::stop-commands::token\n::error::x\n\n::token::\n');
});

test('a summary has whole lines, up to one mebibyte with what is there already', () => {
  const limit = 1024 * 1024;
  const markdown = '| über | é |\n'.repeat(100_000);
  const short = summaryText(markdown, 1000);
  expect(Buffer.byteLength(short) + 1000).toBeLessThanOrEqual(limit);
  expect(Buffer.byteLength(short) + 1000).toBeGreaterThan(limit - 100);
  expect(short).toMatch(/\| é \|\n\nThe report is longer than a summary can be\.\n$/);
  expect(summaryText('short\n', limit - 6)).toBe('short\n');
  expect(summaryText('short\n', limit - 5)).toBe('');
});
