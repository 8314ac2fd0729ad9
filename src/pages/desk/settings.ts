import { type Bounds, withinBounds } from '../bounds.ts';
import { loadText, parseObject, saveText } from '../stored.ts';

/** Settings that a person has chosen. */
export type DeskSettings = Readonly<typeof DEFAULT_SETTINGS>;

export const DEFAULT_SETTINGS = {
  theme: 'auto' as keyof typeof THEMES,
  /** Height of the letters of the text in pixels. */
  fontSize: 18,
  /** Seconds by which pausing goes back. */
  stepBack: 1.5,
  /** Seconds of a jump. */
  jump: 3,
  /** Keeps the playing word in view. */
  follow: true,
  /** Marks words of low confidence. */
  doubts: false,
  /** Condition under which a click on a word moves the audio there. */
  click: 'paused' as keyof typeof CLICK_CHOICES,
  volume: 1,
  /** Pixels of the waveform for a second. */
  zoom: 50,
};

export const CLICK_CHOICES = {
  paused: 'While paused, or with Ctrl',
  always: 'Always',
  ctrl: 'Only with Ctrl',
} as const;

export const THEMES = { auto: 'System', dark: 'Dark', light: 'Light', contrast: 'Yellow on black' } as const;

/** Smallest and largest numbers. */
export const SETTING_BOUNDS = {
  fontSize: [12, 40],
  stepBack: [0, 5],
  jump: [0.5, 30],
  volume: [0, 1],
  zoom: [1, 400],
} as const satisfies Partial<Record<keyof DeskSettings, Bounds>>;

const NAME = 'rxscribe.desk.settings';

export const loadSettings = () => readSettings(loadText(NAME));
export const saveSettings = (settings: DeskSettings) => saveText(NAME, JSON.stringify(settings));

/** Reads stored settings. Unreadable ones have their defaults. */
export function readSettings(text: string): DeskSettings {
  const stored = parseObject(text);
  const read = Object.entries(DEFAULT_SETTINGS).map(([name, fallback]) => {
    const value = stored[name];
    return [name, isAllowed(name, value, fallback) ? value : fallback];
  });
  return Object.fromEntries(read) as DeskSettings;
}

const BOUNDS: Readonly<Record<string, Bounds>> = SETTING_BOUNDS;
const CHOICES: Readonly<Record<string, object>> = { theme: THEMES, click: CLICK_CHOICES };

function isAllowed(name: string, value: unknown, fallback: unknown): boolean {
  const [bounds, choices] = [BOUNDS[name], CHOICES[name]];
  if (typeof value !== typeof fallback) return false;
  if (bounds) return value === withinBounds(value as number, bounds);
  return !choices || Object.hasOwn(choices, value as string);
}
