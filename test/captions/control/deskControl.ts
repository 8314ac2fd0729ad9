import { BehaviorSubject } from 'rxjs';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import type { CaptionStep } from '../../../src/captions/captionStep.ts';
import type {
  CaptionControl,
  ControlCommand,
  ControlState,
} from '../../../src/captions/control/captionControl.ts';

/** A small control: keeps the state, and records the commands with the time at which they were performed. */
export class DeskControl implements CaptionControl {
  readonly state$ = new BehaviorSubject<ControlState>({
    mode: 'on',
    isTyping: false,
    language: 'en',
    banned: [],
    addedPhrases: [],
    replaced: [],
    addedRules: {},
    outputs: [],
  });
  readonly performed: { readonly command: ControlCommand; readonly atMs: number }[] = [];
  readonly #show: (step: CaptionStep) => void;

  constructor(show: (step: CaptionStep) => void = () => {}) {
    this.#show = show;
  }

  get commands(): readonly ControlCommand[] {
    return this.performed.map(({ command }) => command);
  }

  set(changes: Partial<ControlState>): void {
    this.state$.next({ ...this.state$.value, ...changes });
  }

  async perform(command: ControlCommand): Promise<void> {
    const { isTyping } = this.state$.value;
    if ((command.type === 'type' || command.type === 'retract') && !isTyping) {
      throw new InvalidArgumentError('Recognised text is shown. Take over first.');
    }
    this.performed.push({ command, atMs: Date.now() });
    if (command.type === 'kill') this.#show({ type: 'off' });
    const { leftAtMs: _, ...state } = this.state$.value;
    this.state$.next({ ...state, ...this.#changesOf(command) });
  }

  #changesOf(command: ControlCommand): Partial<ControlState> {
    const { banned, replaced, addedPhrases } = this.state$.value;
    switch (command.type) {
      case 'start':
        return { mode: 'on' };
      case 'pause':
        return { mode: 'paused' };
      case 'kill':
        return { mode: 'off' };
      case 'ban':
        return { banned: [...banned, command.text], addedRules: { ban: [...banned, command.text] } };
      case 'replace':
        return { replaced: [...replaced, { text: command.text, by: command.by }] };
      case 'vocabulary':
        return { addedPhrases: [...addedPhrases, command.text] };
      case 'undo':
        return {
          banned: banned.filter(each => each !== command.text),
          replaced: replaced.filter(({ text }) => text !== command.text),
          addedPhrases: addedPhrases.filter(each => each !== command.text),
        };
      case 'take-over':
        return { isTyping: true };
      case 'hand-back':
        return { isTyping: false };
      case 'language':
        return { language: command.language };
      default:
        return {};
    }
  }
}
