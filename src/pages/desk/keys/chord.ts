/** The parts of a keyboard event that name a chord. */
export interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const MODIFIER_KEYS = ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'OS', 'CapsLock', 'NumLock', 'Fn'];
const UNNAMED_KEYS = ['Dead', 'Process', 'Unidentified', 'Unknown', ''];

/** Marks of keys, where the name of the key would not be readable in a chord. */
const MARKS: Readonly<Record<string, string>> = { ' ': 'Space', '+': 'Plus' };

/**
 * Returns the chord of a stroke, such as `Ctrl+Shift+F`; undefined for a modifier alone and for a key without a name.
 * The command key of a Mac counts as Ctrl. Digits, and letters of layouts that are not Latin, are named after the place
 * of the key, so that `Ctrl+1` and `Ctrl+F` are the same keys on every layout.
 */
export function chordOf(stroke: KeyStroke): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = stroke;
  if (MODIFIER_KEYS.includes(key)) return undefined;
  const name = nameOf(stroke);
  if (name === undefined) return undefined;
  const isMark = name === MARKS['+'] || /^[^\p{L}\p{N}]$/u.test(name);
  return [
    (ctrlKey || metaKey) && 'Ctrl',
    altKey && 'Alt',
    // A mark such as `?` already implies the shift key.
    shiftKey && !isMark && 'Shift',
    name,
  ]
    .filter(Boolean)
    .join('+');
}

function nameOf({ key, code, ctrlKey, metaKey, altKey }: KeyStroke): string | undefined {
  const hasModifier = ctrlKey || metaKey || altKey;
  const place = /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code)?.[1];
  if (hasModifier && place && !/^[a-z]$/i.test(key)) return place;
  if (UNNAMED_KEYS.includes(key)) return place;
  return MARKS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** Returns whether a chord would type a character in a text. */
export function typesText(chord: string): boolean {
  return (
    !/^(?:Ctrl|Alt)\+/.test(chord) && /^(?:Shift\+)?(?:.|Space|Plus|Enter|Tab|Backspace|Delete)$/u.test(chord)
  );
}

/** Returns whether a chord has a meaning of its own in every field and dialog. */
export function belongsToFields(chord: string): boolean {
  return (
    !/^(?:Ctrl|Alt)\+/.test(chord) && !/^(?:Shift\+)?(?:F\d{1,2}|Media\w+|Audio\w+|Launch\w+)$/.test(chord)
  );
}

const SHOWN: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Plus: '+',
  MediaPlayPause: 'Media play',
  MediaTrackNext: 'Media next',
  MediaTrackPrevious: 'Media previous',
};

/** Returns the chord in the notation for people. */
export function showChord(chord: string, { isMac = false } = {}): string {
  return chord
    .split('+')
    .map(part => (isMac && part === 'Ctrl' ? '⌘' : isMac && part === 'Alt' ? '⌥' : (SHOWN[part] ?? part)))
    .join('+');
}
