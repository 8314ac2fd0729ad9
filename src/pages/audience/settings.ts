import { MAX_VIEWER_DELAY_SECONDS } from '../../captions/outputs/page/pageText.ts';
import type { Bounds } from '../bounds.ts';

/** Looks and behaviour of the page, as its query has them. Absent: chosen by the page. */
export interface PageSettings {
  /** Name of an installed font, or a generic one. */
  readonly font?: string;
  /** Height of the letters in pixels. */
  readonly size?: number;
  readonly color?: string;
  /** Colour behind the text. */
  readonly background?: string;
  /** Width of an outline of the letters, against their colour, in pixels. */
  readonly outline?: number;
  /** Rows on the screen. Absent: the text fills the page. */
  readonly rows?: number;
  /** Width of the text as a percentage of the page. */
  readonly width?: number;
  /** Position of the text when its rows or its width are limited. */
  readonly position?: PagePosition;
  readonly transparent?: boolean;
  /** Seconds by which this viewer sees captions later. */
  readonly delay?: number;
  /** False to leave out uncertain words. */
  readonly tail?: boolean;
  /** True if a screen reader is to announce new text. */
  readonly live?: boolean;
  readonly theme?: 'dark' | 'light' | 'contrast';
  /** True for a QR code of the page's address. */
  readonly qr?: boolean;
}

/** Smallest and largest numbers. */
export const SETTING_BOUNDS = {
  size: [10, 300],
  outline: [0, 12],
  rows: [1, 20],
  width: [20, 100],
  delay: [0, MAX_VIEWER_DELAY_SECONDS],
} as const satisfies Partial<Record<keyof PageSettings, Bounds>>;

type Reader = (value: string) => Partial<PageSettings> | undefined;

const numberOf =
  (key: keyof typeof SETTING_BOUNDS): Reader =>
  value => {
    const [least, most] = SETTING_BOUNDS[key];
    const number = /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
    const isWhole = key !== 'rows' || Number.isInteger(number);
    return number >= least && number <= most && isWhole ? { [key]: number } : undefined;
  };

const switchOf =
  (key: 'transparent' | 'tail' | 'qr'): Reader =>
  value => {
    if (['', '1', 'true', 'yes', 'on'].includes(value)) return { [key]: true };
    return ['0', 'false', 'no', 'off'].includes(value) ? { [key]: false } : undefined;
  };

/** Names, hexadecimal digits with or without `#`, and functions of numbers; never anything that could load or refer. */
const COLOR = /^(?:[a-z]{3,20}|(?:rgb|hsl)a?\([\d.,%/ deg]{5,40}\))$/i;
const HEXADECIMAL = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

const colorOf =
  (key: 'color' | 'background'): Reader =>
  value => {
    const [, digits] = HEXADECIMAL.exec(value) ?? [];
    if (digits !== undefined) return { [key]: `#${digits}` };
    return COLOR.test(value) ? { [key]: value } : undefined;
  };

const VERTICAL = ['top', 'middle', 'bottom'] as const;
const HORIZONTAL = ['left', 'centre', 'right'] as const;

export type PagePosition = `${(typeof VERTICAL)[number]}-${(typeof HORIZONTAL)[number]}`;

/** Words such as `bottom` or `top-left`; `centre` is for the direction that no other word names. */
const positionOf: Reader = text => {
  const words = text
    .toLowerCase()
    .replaceAll('center', 'centre')
    .split(/[\s,-]+/);
  const named = words.filter(word => word !== 'centre');
  const vertical = VERTICAL.find(word => named.includes(word));
  const horizontal = HORIZONTAL.find(word => named.includes(word));
  const known = Number(vertical !== undefined) + Number(horizontal !== undefined);
  if (words.length > 2 || named.length !== known) return undefined;
  const other = words.length > named.length || horizontal === undefined ? 'middle' : 'bottom';
  return { position: `${vertical ?? other}-${horizontal ?? 'centre'}` };
};

const READERS: Readonly<Record<string, Reader>> = {
  font: value => (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u.test(value) ? { font: value } : undefined),
  size: value => numberOf('size')(value.replace(/px$/, '')),
  color: colorOf('color'),
  colour: colorOf('color'),
  background: colorOf('background'),
  outline: value => numberOf('outline')(value.replace(/px$/, '')),
  rows: numberOf('rows'),
  width: value => numberOf('width')(value.replace(/%$/, '')),
  position: positionOf,
  transparent: switchOf('transparent'),
  delay: value => numberOf('delay')(value.replace(/s$/, '')),
  tail: switchOf('tail'),
  live: value => ({ polite: { live: true }, off: { live: false } })[value],
  theme: value =>
    value === 'dark' || value === 'light' || value === 'contrast' ? { theme: value } : undefined,
  qr: switchOf('qr'),
};

/**
 * Reads the settings of a query. Values that are not valid are ignored.
 *
 * @param onWarning called with a sentence for each of them, and for names that are not known
 */
export function readSettings(query: string, onWarning: (warning: string) => void = () => {}): PageSettings {
  let settings: PageSettings = {};
  for (const [name, value] of [...new URLSearchParams(query)].slice(0, 50)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    const read = reader?.(value.trim());
    if (read) settings = { ...settings, ...read };
    else if (reader) onWarning(`The value of '${name}' in the address is not valid, and is ignored.`);
    else onWarning(`The address has the name '${name.slice(0, 40)}', which is not known.`);
  }
  return settings;
}

/** Returns the query of settings, such as `?size=40&rows=2`; empty for none. */
export function settingsQuery(settings: PageSettings): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) {
    if (name === 'live') query.set(name, value ? 'polite' : 'off');
    else if (typeof value === 'boolean') query.set(name, value ? '1' : '0');
    else if (value !== undefined) query.set(name, String(value).replace(/^#/, ''));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
