const PREFIX = 'rxscribe.desk.';

/** Returns a stored text; empty when there is none, or no storage. */
export function loadText(name: string): string {
  try {
    return localStorage.getItem(PREFIX + name) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text for the next visit; an empty one is removed. */
export function saveText(name: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // Without a storage, or with a full one, choices last until the page is closed.
  }
}

/** Returns the object that a text of JSON holds; an empty one when it holds none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
