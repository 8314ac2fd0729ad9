import { useWindowEvents } from '../useWindowEvents.ts';

/** Calls functions at keys, such as `F8` and `Shift+F8`, in every field; a held key counts once. */
export function useKeys(actions: Readonly<Record<string, () => unknown>>): void {
  useWindowEvents({
    keydown: event => {
      const { key, shiftKey, ctrlKey, altKey, metaKey, repeat } = event;
      const action = actions[shiftKey ? `Shift+${key}` : key];
      if (!action || ctrlKey || altKey || metaKey) return;
      event.preventDefault();
      if (!repeat) action();
    },
  });
}
