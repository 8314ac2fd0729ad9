import { type PageSettings, readSettings, settingsQuery } from './settings.ts';

const KEY = 'rxscribe.captions';

/**
 * Returns the settings of the address or, when it has none, those that the viewer chose before. An address with settings is
 * complete, so that the sources of a broadcast tool, which share a storage, do not change each other.
 */
export function loadSettings(): PageSettings {
  const query = location.search;
  return readSettings(query === '' ? storedQuery() : query, warning => console.warn(warning));
}

/** Puts settings into the address, and remembers them. */
export function saveSettings(settings: PageSettings): void {
  const query = settingsQuery(settings);
  history.replaceState(null, '', `${location.pathname}${query}`);
  try {
    localStorage.setItem(KEY, query);
  } catch {
    // A page within another one may have no storage; its address has the settings.
  }
}

function storedQuery(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
