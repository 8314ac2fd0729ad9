const forGood = () => localStorage;
const forTheTab = () => sessionStorage;

/** Returns the text that a storage has under a key; empty when there is none, or no storage. */
export function loadText(key: string, storage = forGood): string {
  try {
    return storage().getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text for the next visit; an empty one is removed. */
export function saveText(key: string, text: string, storage = forGood): void {
  try {
    if (text === '') storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Without a storage, as in an embedded page, or with a full one, choices last until the page is closed.
  }
}

/** Keeps a token until the tab is closed; an empty one is forgotten. */
export const keepToken = (key: string, token: string) => saveText(key, token, forTheTab);
export const keptToken = (key: string) => loadText(key, forTheTab);

/** Returns the object that a text of JSON holds; an empty one when it holds none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
