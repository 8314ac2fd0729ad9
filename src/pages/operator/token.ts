const KEY = 'rxscribe.operator';

/** Returns the token of the address, which is removed from it at once, or the one that was typed in this tab before. */
export function loadToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    saveToken(given);
  }
  return sessionStorage.getItem(KEY) ?? '';
}

/** Keeps the token until the tab is closed; an empty one is forgotten. */
export function saveToken(token: string): void {
  if (token === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}
