import type { ControlCommand } from '../../control/captionControl.ts';

/** Has a command performed, and shows whether it was. Resolves with true when the server has performed it; never rejects. */
export type Perform = (command: ControlCommand) => Promise<boolean>;

/** Names of commands, for people. */
export const COMMAND_NAMES: Readonly<Record<ControlCommand['type'], string>> = {
  start: 'Start',
  pause: 'Pause',
  kill: 'Kill',
  unsend: 'Unsend',
  ban: 'Ban',
  replace: 'Replace',
  'take-over': 'Take over',
  type: 'Typed phrase',
  retract: 'Take back',
  'hand-back': 'Hand back',
  language: 'Language',
};
