import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;

/** A docstring begins with what the thing is or does, not with a subordinate clause. */
const ODD_OPENING =
  /\/\*\*\s*(?:\*\s*)?(?:What|Who|Whom|Whose|How|Of|All|Nothing|None|Those|Which|There is none)\b[^\n]*/g;

/** Words that the project once used, by the field's terms that replaced them. */
const REPLACED: Readonly<Record<string, RegExp>> = {
  'timeout, withTimeout, withAbort': /\b(?:patience|patiently|patient\w*|untilAborted)\b/gi,
  'wake signal': /\b(?:alarms?|rung)\b/gi,
  'authentication throttle': /\bdoorkeepers?\b/gi,
  'persistence, save, maintenance': /\b(?:keepInStore|keepUp|upkeep)\b/g,
  'playback session, quiescence': /\b(?:stillness|ofStage)\b/gi,
  'claim, running': /\b(?:takes?|took|taken|taking|have|has|had) in hand\b/gi,
  'reported, reports': /\b(?:told|tells?|telling)\b/gi,
  'the problem, then the remedy': /: wanted [^'"`\n]*, found /g,
};

/** Source files, this one left out. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'test', 'samples'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => /\.(ts|md|yaml)$/.test(path) && !/^test\/(?:fixtures\/|prose\.test\.ts)/.test(path))
  .map(path => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }));

function placesOf(pattern: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(match => {
      const line = text.slice(0, match.index).split('\n').length;
      return `${path}:${line}: ${match[0].trim().slice(0, 80)}`;
    }),
  );
}

describe('the prose', () => {
  test('is read by the checks below', () => {
    expect(files.length).toBeGreaterThan(1000);
    expect('/** What it is. */').toMatch(ODD_OPENING);
  });

  test('has docstrings that begin with a noun or a verb', () => {
    expect(placesOf(ODD_OPENING)).toEqual([]);
  });

  test.each(Object.entries(REPLACED))('says %s', (_, pattern) => {
    expect(placesOf(pattern)).toEqual([]);
  });
});
