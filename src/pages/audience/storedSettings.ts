import { loadText, saveText } from '../stored.ts';
import { type PageSettings, readSettings, settingsQuery } from './settings.ts';

const KEY = 'rxscribe.captions';

/**
 * Returns the settings of the address or, when it has none, those that the viewer chose before. An address with settings is
 * complete, so that the sources of a broadcast tool, which share a storage, do not change each other.
 */
export function loadSettings(): PageSettings {
  const query = location.search;
  return readSettings(query || loadText(KEY), warning => console.warn(warning));
}

/** Puts settings into the address, and remembers them. */
export function saveSettings(settings: PageSettings): void {
  const query = settingsQuery(settings);
  history.replaceState(null, '', `${location.pathname}${query}`);
  saveText(KEY, query);
}
