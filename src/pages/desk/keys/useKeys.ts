import { useEffect, useRef } from 'preact/hooks';
import { useWindowEvents } from '../../useWindowEvents.ts';
import { useDesk } from '../desk.ts';
import type { ActionId, Handlers } from './actions.ts';
import { actionsByChord, type KeyChoices } from './bindings.ts';
import { belongsToFields, chordOf } from './chord.ts';

/** Actions that repeat while their key is held. */
const REPEATED: readonly ActionId[] = [
  'back',
  'forward',
  'slower',
  'faster',
  'zoomIn',
  'zoomOut',
  'nextDoubtful',
  'previousDoubtful',
  'nextUntimed',
  'undo',
  'redo',
];

interface UseKeysOptions {
  readonly handlers: Handlers;
  /** Called when the key of `hold` is released. */
  readonly onLetGo?: () => void;
}

/** Starts actions by keys anywhere on the page, except in dialogs. */
export function useKeys({ handlers, onLetGo }: UseKeysOptions): void {
  const { choices } = useDesk();
  const held = useRef('');
  const letGo = () => {
    if (held.current === '') return;
    held.current = '';
    onLetGo?.();
  };
  useWindowEvents({
    keydown: event => {
      const id = actionOf(event, handlers, choices);
      if (id === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.repeat && !REPEATED.includes(id)) return;
      if (id === 'hold') held.current = event.code || event.key;
      handlers[id]?.();
    },
    keyup: event => {
      if (held.current === (event.code || event.key)) letGo();
    },
    // The release of a key in another window is not reported.
    blur: letGo,
  });
}

function actionOf(event: KeyboardEvent, handlers: Handlers, choices: KeyChoices): ActionId | undefined {
  // AltGr types characters; an input method uses Escape and Enter.
  if (event.isComposing || event.getModifierState('AltGraph')) return undefined;
  if (document.querySelector('dialog[open]')) return undefined;
  const chord = chordOf(event);
  const id = chord && actionsByChord(choices).get(chord);
  if (!chord || !id || !handlers[id]) return undefined;
  const isOfField = belongsToFields(chord) || id === 'undo' || id === 'redo';
  return isOfField && isField(event.target) ? undefined : id;
}

/** Returns whether an element has keys of its own, such as Escape in the search panel. The transcript has none of them. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, select, textarea, .cm-panel') !== null &&
    target.closest('.cm-content') === null
  );
}

/** Starts actions by the media keys of keyboards and headsets, which browsers report apart from other keys. */
export function useMediaKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const session = navigator.mediaSession;
    if (!session) return;
    const actions = {
      play: 'play',
      pause: 'play',
      seekbackward: 'back',
      previoustrack: 'back',
      seekforward: 'forward',
      nexttrack: 'forward',
    } as const;
    const names = Object.keys(actions) as (keyof typeof actions)[];
    for (const name of names) session.setActionHandler(name, () => latest.current[actions[name]]?.());
    return () => {
      for (const name of names) session.setActionHandler(name, null);
    };
  }, []);
}
