import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DeskSessionJson } from '../../protocol/desk.ts';
import type { DeskApi } from './api.ts';
import type { Handlers } from './keys/actions.ts';
import type { KeyChoices } from './keys/bindings.ts';
import type { DeskSettings } from './settings.ts';

/** Values that all parts of the page share. */
export interface Desk {
  readonly api: DeskApi;
  readonly session: DeskSessionJson;
  /** Number of log-ins of this page. */
  readonly logIns: number;
  readonly settings: DeskSettings;
  readonly changeSettings: (changes: Partial<DeskSettings>) => void;
  /** Keys that the person has chosen. */
  readonly choices: KeyChoices;
  readonly changeKeys: (choices: KeyChoices) => void;
  /** Actions of the whole page: they open its dialogs. */
  readonly handlers: Handlers;
}

export const DeskContext = createContext<Desk | undefined>(undefined);

/** Returns the values that all parts of the page share. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('Cannot render: there is no desk around this part.');
  return desk;
}
