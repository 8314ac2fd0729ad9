import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { downloadName, MAX_FILE_NAME_LENGTH, safeFileName } from '../../../src/service/outbound/fileName.ts';

const nameOf = (path: string, disposition?: string) =>
  downloadName(new URL(path, 'http://a.example'), disposition);

describe('the name of a download', () => {
  test.each([
    ['/talk.wav', 'talk.wav'],
    ['/a/b/talk.wav?name=other.wav#fragment', 'talk.wav'],
    ['/monday%20talk.wav', 'monday talk.wav'],
    ['/%E4%B8%96%E7%95%8C.wav', '世界.wav'],
    ['/..%2f..%2fetc%2fpasswd', 'passwd'],
    ['/a%5Cb.wav', 'b.wav'],
    ['/a%00%1b%5B31m%0Ab%E2%80%AE.wav', 'a[31mb.wav'],
    ['/100%.wav', '100%.wav'],
    ['/', undefined],
    ['/talks/', undefined],
    ['/%2e%2e%2f', undefined],
    ['/a%2f..', undefined],
  ])('of the path %s is %s', (path, name) => {
    expect(nameOf(path)).toBe(name);
  });

  test.each([
    ['attachment', 'path.wav'],
    ['attachment; filename=talk.wav', 'talk.wav'],
    ['inline;filename="monday talk.wav"; size=3', 'monday talk.wav'],
    ['attachment; FileName = "a\\"b.wav"', 'a"b.wav'],
    ['attachment; filename="old.wav"; filename*=UTF-8\'\'%E4%B8%96.wav', '世.wav'],
    ["attachment; filename*=utf-8'en'a%20b.wav; filename=old.wav", 'a b.wav'],
    ["attachment; filename*=UTF-8''..%2F..%2Fpasswd", 'passwd'],
    ['attachment; filename="C:\\\\media\\\\talk.wav"', 'talk.wav'],
    [`attachment; filename="${Buffer.from('世界.wav').toString('latin1')}"`, '世界.wav'],
    [`attachment; filename="${Buffer.from('Grüße.wav', 'latin1').toString('latin1')}"`, 'Grüße.wav'],
    ['attachment; filename=""', 'path.wav'],
    ['attachment; filename=".."', 'path.wav'],
    ['attachment; notfilename=x.wav', 'path.wav'],
  ])('with the disposition %s is %s', (disposition, name) => {
    expect(nameOf('/path.wav', disposition)).toBe(name);
  });

  test('is a short base name without control characters, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), text => {
        const name = safeFileName(text);
        if (name === undefined) return;
        expect(name).not.toMatch(/[/\\\p{C}]/u);
        expect(name.length).toBeLessThanOrEqual(MAX_FILE_NAME_LENGTH);
        expect(name.isWellFormed()).toBe(true);
        expect(['', '.', '..']).not.toContain(name);
      }),
    );
    expect(safeFileName(`${'x'.repeat(254)}😀`)).toBe('x'.repeat(254));
  });
});
