import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PageSettings,
  readSettings,
  SETTING_BOUNDS,
  settingsQuery,
} from '../../src/pages/audience/settings.ts';
import { withinBounds } from '../../src/pages/bounds.ts';

const numberWithin = ([least, most]: readonly [number, number]) => fc.integer({ min: least, max: most });
const positions = (['top', 'middle', 'bottom'] as const).flatMap(vertical =>
  (['left', 'centre', 'right'] as const).map(horizontal => `${vertical}-${horizontal}` as const),
);

const settings: fc.Arbitrary<PageSettings> = fc.record(
  {
    font: fc.constantFrom('serif', 'Noto Sans', 'Atkinson Hyperlegible', 'ＭＳ ゴシック'),
    size: numberWithin(SETTING_BOUNDS.size),
    color: fc.constantFrom('red', '#ff0', '#a1b2c3', 'rgb(1,2,3)'),
    background: fc.constantFrom('#000000cc', 'black', '#abc'),
    outline: numberWithin(SETTING_BOUNDS.outline),
    rows: numberWithin(SETTING_BOUNDS.rows),
    width: numberWithin(SETTING_BOUNDS.width),
    position: fc.constantFrom(...positions),
    transparent: fc.boolean(),
    delay: numberWithin(SETTING_BOUNDS.delay),
    tail: fc.boolean(),
    live: fc.boolean(),
    theme: fc.constantFrom('dark', 'light', 'contrast'),
    qr: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PageSettings>;

describe('the settings of the page', () => {
  test('are read from the query that was written for them', () => {
    fc.assert(
      fc.property(settings, chosen => {
        expect(readSettings(settingsQuery(chosen), warning => expect.fail(warning))).toEqual(chosen);
      }),
    );
  });

  test('never have a value out of bounds, nor one that could load or break out', () => {
    const names = 'font size color background outline rows width position delay theme'.split(' ');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), values => {
        const read = readSettings(new URLSearchParams(values).toString());
        const { color = '', background = '', font = '', ...others } = read;
        expect(color + background + font).not.toMatch(/url|var|image|[;{}"'\\<>]/i);
        for (const [name, bounds] of Object.entries(SETTING_BOUNDS)) {
          const value = others[name as keyof typeof SETTING_BOUNDS];
          expect(value ?? bounds[0]).toBe(withinBounds(Number(value ?? bounds[0]), bounds));
        }
      }),
    );
  });

  test.each([
    ['position=top', { position: 'top-centre' }],
    ['position=left', { position: 'bottom-left' }],
    ['position=top,right', { position: 'top-right' }],
    ['position=center', { position: 'middle-centre' }],
    ['position=centre-left', { position: 'middle-left' }],
    ['position=middle', { position: 'middle-centre' }],
    ['size=40px', { size: 40 }],
    ['colour=abc', { color: '#abc' }],
    ['color=%23ff8800', { color: '#ff8800' }],
    ['transparent', { transparent: true }],
    ['tail=0', { tail: false }],
    ['delay=2.5s', { delay: 2.5 }],
    ['live=polite', { live: true }],
  ])('reads %s', (query, expected) => {
    expect(readSettings(query)).toEqual(expected);
  });

  test.each([
    ...['size=9', 'size=1e2', 'rows=0', 'rows=2.5', 'rows=21', 'delay=61', 'live=assertive', 'theme=blue'],
    ...['position=top-bottom', 'position=up', 'position=', 'color=url(x)', 'color=var(--x)', 'font=a";b'],
    ...['toString=1', '__proto__=1'],
  ])('ignores %s with a warning', query => {
    const warnings: string[] = [];
    const read = readSettings(query, warning => warnings.push(warning));

    expect([read, warnings.length]).toEqual([{}, 1]);
  });
});
