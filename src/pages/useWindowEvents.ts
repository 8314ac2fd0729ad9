import { useLayoutEffect, useRef } from 'preact/hooks';

type Events = WindowEventMap & DocumentEventMap;

type Listeners = { readonly [Type in keyof Events]?: (event: Events[Type]) => void };

/** Listens to events of the window while a component is shown, before any element does. The latest listeners count. */
export function useWindowEvents(listeners: Listeners): void {
  const latest = useRef(listeners);
  latest.current = listeners;
  // Attached at once, as a key may be pressed before the next frame is drawn.
  useLayoutEffect(() => {
    const closing = new AbortController();
    for (const type of Object.keys(listeners) as (keyof Listeners)[]) {
      const isOfWindow = type === 'focus' || type === 'blur';
      const listen = (event: Event) => {
        // The events of elements are captured here as well.
        if (!isOfWindow || event.target === window) latest.current[type]?.(event as never);
      };
      window.addEventListener(type, listen, { capture: true, signal: closing.signal });
    }
    return () => closing.abort();
  }, []);
}
