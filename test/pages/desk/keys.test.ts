import { describe, expect, test } from 'vitest';
import { DESK_ACTIONS } from '../../../src/pages/desk/keys/actions.ts';
import {
  actionsByChord,
  chooseKeys,
  findConflicts,
  keysOf,
  readKeyChoices,
  refusalOf,
} from '../../../src/pages/desk/keys/bindings.ts';
import {
  belongsToFields,
  chordOf,
  type KeyStroke,
  showChord,
  typesText,
} from '../../../src/pages/desk/keys/chord.ts';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const stroke = (key: string, code: string, held: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  code,
  ...NONE,
  ...held,
});

describe('a chord', () => {
  test.each<[string | undefined, KeyStroke]>([
    ['Ctrl+F', stroke('f', 'KeyF', { ctrlKey: true })],
    ['Ctrl+F', stroke('f', 'KeyF', { metaKey: true })],
    ['Ctrl+Shift+Z', stroke('Z', 'KeyZ', { ctrlKey: true, shiftKey: true })],
    ['F4', stroke('F4', 'F4')],
    ['Escape', stroke('Escape', 'Escape')],
    ['MediaPlayPause', stroke('MediaPlayPause', 'MediaPlayPause')],
    ['Ctrl+Space', stroke(' ', 'Space', { ctrlKey: true })],
    ['Alt+Plus', stroke('+', 'Equal', { altKey: true, shiftKey: true })],
    ['Ctrl+,', stroke(',', 'Comma', { ctrlKey: true })],
    // A French keyboard has the digits with the shift key, a Mac has other characters with Alt.
    ['Ctrl+1', stroke('&', 'Digit1', { ctrlKey: true })],
    ['Alt+1', stroke('¡', 'Digit1', { altKey: true })],
    ['Alt+Shift+2', stroke('@', 'Digit2', { altKey: true, shiftKey: true })],
    ['Alt+3', stroke('3', 'Numpad3', { altKey: true })],
    ['Alt+L', stroke('¬', 'KeyL', { altKey: true })],
    ['Alt+N', stroke('Dead', 'KeyN', { altKey: true })],
    // An Arabic and a Russian keyboard.
    ['Ctrl+F', stroke('ب', 'KeyF', { ctrlKey: true })],
    ['Ctrl+F', stroke('а', 'KeyF', { ctrlKey: true })],
    // A German keyboard has Z where an English one has Y.
    ['Ctrl+Z', stroke('z', 'KeyY', { ctrlKey: true })],
    [undefined, stroke('Control', 'ControlLeft', { ctrlKey: true })],
    [undefined, stroke('Dead', 'BracketLeft')],
    [undefined, stroke('', '')],
  ])('is %s', (chord, pressed) => {
    expect(chordOf(pressed)).toBe(chord);
  });

  test('may type text, or belong to fields', () => {
    expect(['A', 'Space', 'Shift+Enter', '?', 'ب'].filter(typesText)).toHaveLength(5);
    expect(['Ctrl+A', 'Alt+Shift+1', 'F4', 'Escape', 'MediaPlayPause'].filter(typesText)).toEqual([]);
    expect(['Escape', 'Enter', 'A', 'ArrowUp'].filter(belongsToFields)).toHaveLength(4);
    expect(['Ctrl+Enter', 'Alt+1', 'F9', 'Shift+F9', 'MediaPlayPause'].filter(belongsToFields)).toEqual([]);
  });

  test('is shown as it is read', () => {
    expect(showChord('Ctrl+Alt+ArrowLeft')).toBe('Ctrl+Alt+←');
    expect(showChord('Ctrl+Plus', { isMac: true })).toBe('⌘++');
  });
});

describe('the keys of actions', () => {
  test('are different by default, and can be chosen', () => {
    expect([...findConflicts({})]).toEqual([]);
    const chords = DESK_ACTIONS.flatMap(({ keys }) => keys);
    expect(chords.length).toBeGreaterThan(50);
    expect(chords.map(refusalOf).filter(refusal => refusal !== undefined)).toEqual([]);
    expect(new Set(DESK_ACTIONS.map(({ id }) => id)).size).toBe(DESK_ACTIONS.length);
    expect(DESK_ACTIONS.filter(({ keys }) => keys.length === 0)).toEqual([]);
  });

  test('are found by their chord', () => {
    const choices = chooseKeys({}, 'play', ['F13']);
    const actions = actionsByChord(choices);
    expect(['F13', 'Escape', 'F9'].map(chord => actions.get(chord))).toEqual(['play', undefined, 'hold']);
  });

  test('may be used more than once: the first action has them', () => {
    const choices = chooseKeys({}, 'faster', ['F3', 'F4']);
    expect([...findConflicts(choices)]).toEqual([['F4', ['play', 'faster']]]);
    expect(actionsByChord(choices).get('F4')).toBe('play');
  });

  test('are forgotten when they are the default ones again', () => {
    const changed = chooseKeys({}, 'hold', []);
    expect(keysOf('hold', changed)).toEqual([]);
    expect(chooseKeys(changed, 'hold', ['F9'])).toEqual({});
    expect(chooseKeys({}, 'hold', ['F9', 'F9', 'F14'])).toEqual({ hold: ['F9', 'F14'] });
  });

  test('cannot be those that type, or that browsers keep', () => {
    expect(refusalOf('A')).toMatch(/types/);
    expect(refusalOf('Ctrl+W')).toMatch(/Browsers/);
    expect(refusalOf('Ctrl+C')).toBeDefined();
    expect(refusalOf('F13')).toBeUndefined();
  });

  test('are read from the storage, without unreadable ones', () => {
    const choices = { play: ['F13'], hold: [] };
    expect(readKeyChoices(JSON.stringify(choices))).toEqual(choices);
    const hostile = {
      play: ['A', 7, 'Ctrl+W', 'F14'],
      nothing: ['F1'],
      hold: 'F9',
      __proto__: { back: ['F2'] },
    };
    expect(readKeyChoices(JSON.stringify(hostile))).toEqual({ play: ['F14'] });
    for (const text of ['', 'null', '[', '7', '[]']) expect(readKeyChoices(text)).toEqual({});
  });
});
