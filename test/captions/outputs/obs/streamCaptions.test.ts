import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  captionText,
  cea608Bytes,
  cea608Text,
  repaintMs,
} from '../../../../src/captions/outputs/obs/streamCaptions.ts';

describe('the text of captions in the stream', () => {
  it.each([
    ["It's “fine” — señor", 'It’s “fine” — señor'],
    ['naïve, Łódź, Ångström, œuvre', 'naïve, Lódz, Ångström, oeuvre'],
    ['10 € … 20 %', '10 EUR ... 20 %'],
    ['Привет ♫', '?????? ♪'],
    ['ﬁne\u200d\u0000', 'fine'],
  ])('has the characters of CEA-608: %j', (text, expected) => {
    expect(cea608Text(text)).toBe(expected);
  });

  it('stays the same once it has them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const carried = cea608Text(text);
        expect(cea608Text(carried)).toBe(carried);
        expect(carried).not.toMatch(/[^\u0020-\u00ff█–—‘’“”•™℠♪┌┐└┘]/u);
      }),
    );
  });

  it('counts two bytes for the characters of the further sets, and fills up to pairs', () => {
    expect(cea608Bytes('abc')).toBe(4);
    expect(cea608Bytes('àbc')).toBe(4);
    expect(cea608Bytes('ÀÄ—™')).toBe(8);
  });

  it('has the newest rows that fit into 128 bytes', () => {
    const row = 'x'.repeat(32);
    expect(captionText(['a', 'b'])).toBe('a\nb');
    expect(captionText([row, row, row, row])).toBe([row, row, row].join('\n'));
    expect(captionText(['ÄÖÜ'.repeat(10), '—'.repeat(32)])).toBe('—'.repeat(32));
    expect(captionText([])).toBe('');
  });

  it('takes the time that its bytes take: 1.5 s for two full rows', () => {
    const row = 'x'.repeat(32);
    expect(repaintMs('')).toBeCloseTo(267, 0);
    expect(repaintMs(`${row}\n${row}`)).toBeCloseTo(1468, 0);
    expect(repaintMs(`${row}\n${row}\n${row}`)).toBeCloseTo(2069, 0);
  });
});
