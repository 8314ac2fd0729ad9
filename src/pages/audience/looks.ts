import type { PageSettings } from './settings.ts';

const GENERIC_FONTS = ['serif', 'sans-serif', 'monospace', 'system-ui', 'cursive'];

/** Default width of the dark edge around letters over a picture. */
const OVERLAY_OUTLINE = 2;

const prefersContrast = matchMedia('(prefers-contrast: more)');
const prefersLight = matchMedia('(prefers-color-scheme: light)');

/** Calls a function whenever the viewer's device changes its preferred colours. */
export function onPreferences(changed: () => void): void {
  for (const query of [prefersContrast, prefersLight]) query.addEventListener('change', changed);
}

/** Applies settings to the document. */
export function applyLooks(
  settings: PageSettings,
  { isOverlay, rows }: { readonly isOverlay: boolean; readonly rows: number | undefined },
): void {
  const root = document.documentElement;
  const { font, size, color, background, outline, width, position = 'bottom-centre' } = settings;
  const [vertical = '', horizontal = ''] = position.split('-');
  // Colours of the address, and those over a picture, were chosen beside the dark ones.
  const isDark = isOverlay || color !== undefined || background !== undefined;
  const preferred = prefersContrast.matches ? 'contrast' : prefersLight.matches ? 'light' : 'dark';
  const theme = settings.theme ?? (isDark ? 'dark' : preferred);
  Object.assign(root.dataset, { theme, vertical, horizontal });
  root.classList.toggle('overlay', isOverlay);
  root.classList.toggle('rows', rows !== undefined);
  const fontFamily = font && (GENERIC_FONTS.includes(font) ? font : `"${font}"`);
  const edge = outline ?? (isOverlay && background === undefined ? OVERLAY_OUTLINE : undefined);
  const values: Readonly<Record<string, string | undefined>> = {
    '--font': fontFamily && `${fontFamily}, var(--fallback-font)`,
    '--size': size === undefined ? undefined : `${size}px`,
    '--color': supportedColor(color),
    '--background': supportedColor(background),
    '--outline': edge === undefined ? undefined : `${edge}px`,
    '--rows': rows?.toString(),
    '--width': width === undefined ? undefined : `${width}%`,
  };
  for (const [name, value] of Object.entries(values)) {
    root.style.setProperty(name, value ?? '');
  }
  root.classList.toggle('outlined', edge !== undefined && edge > 0);
}

function supportedColor(color: string | undefined): string | undefined {
  if (color === undefined || CSS.supports('color', color)) return color;
  console.warn(`The colour '${color}' is not known, and is ignored.`);
  return undefined;
}
