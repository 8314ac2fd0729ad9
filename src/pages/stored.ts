/** Returns the text that `localStorage` has under a key; empty when there is none, or no storage. */
export function loadText(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text for the next visit; an empty one is removed. */
export function saveText(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Without a storage, as in a page within another one, or with a full one, choices last until the page is closed.
  }
}

/** Keeps a token until the tab is closed; an empty one is forgotten. */
export function keepToken(key: string, token: string): void {
  if (token === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, token);
}

export const keptToken = (key: string) => sessionStorage.getItem(key) ?? '';

/** Returns the object that a text of JSON holds; an empty one when it holds none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
