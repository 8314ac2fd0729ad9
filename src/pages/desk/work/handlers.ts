import { withinBounds } from '../../bounds.ts';
import { bareWord } from '../../texts.ts';
import { commands, type EditorCommand } from '../editor/commands.ts';
import { type Handlers, SPEAKER_ACTIONS, TERM_ACTIONS } from '../keys/actions.ts';
import { SPEEDS } from '../player/player.ts';
import { type DeskSettings, SETTING_BOUNDS } from '../settings.ts';
import { spokenSpan } from './spoken.ts';
import type { Work } from './startWork.ts';

/** Dependencies of actions besides the work itself. */
export interface HandlerOptions {
  readonly work: Work;
  readonly settings: DeskSettings;
  readonly phrases: readonly string[];
  readonly changeSettings: (changes: Partial<DeskSettings>) => void;
  /** Shows a sentence for a while, and announces it to screen readers. */
  readonly notify: (text: string) => void;
  readonly propose: (term: string) => void;
}

/** Sentences for screen readers on commands of the editor whose result is only visible. */
const DONE: Readonly<Partial<Record<EditorCommand, string>>> = {
  split: 'The turn is split.',
  merge: 'The turns are joined.',
};

/** Sentences for commands of the editor without effect. */
const NOTHING_TO_DO: Readonly<Partial<Record<EditorCommand, string>>> = {
  merge: 'There is no turn before this one.',
  nextDoubtful: 'No further word of low confidence.',
  previousDoubtful: 'No earlier word of low confidence.',
  nextUntimed: 'No further word without a time.',
  undo: 'Nothing to undo.',
  redo: 'Nothing to redo.',
};

const COMMANDS = Object.keys(commands) as readonly EditorCommand[];

/** Returns the functions of the actions at a job. */
export function workHandlers(options: HandlerOptions): Handlers {
  const { work, notify, phrases, propose } = options;
  const { editor } = work;
  const run = (command: EditorCommand) => {
    const sentence = (editor.run(command) ? DONE : NOTHING_TO_DO)[command];
    if (sentence !== undefined) notify(sentence);
  };
  return {
    ...Object.fromEntries(COMMANDS.map(command => [command, () => run(command)])),
    ...Object.fromEntries(SPEAKER_ACTIONS.map((id, n) => [id, () => notify(editor.speakers.give(n))])),
    ...Object.fromEntries(
      TERM_ACTIONS.map((id, n) => [id, () => phrases[n] !== undefined && insertTerm(work, phrases[n])]),
    ),
    ...audioHandlers(options),
    text: () => editor.focus(),
    propose: () => {
      const term = bareWord(editor.place().text).replace(/\s+/g, ' ');
      if (term === '') notify('Select the word first.');
      else propose(term);
    },
    save: () =>
      void work.saver.flush().then(
        () => notify('Saved.'),
        (error: Error) => notify(`Not saved: ${error.message}`),
      ),
  };
}

function audioHandlers({ work, settings, changeSettings, notify }: HandlerOptions): Handlers {
  const { player, editor } = work;
  const setSpeed = (speed: number) => {
    const next = Math.round(10 * withinBounds(speed, [SPEEDS.least, SPEEDS.most])) / 10;
    player.setSpeed(next);
    notify(`Speed ${next.toFixed(1)}`);
  };
  const setZoom = (zoom: number) => changeSettings({ zoom: withinBounds(zoom, SETTING_BOUNDS.zoom) });
  return {
    play: () => (player.state.isPlaying ? player.pause(settings.stepBack) : player.play()),
    hold: player.play,
    back: () => player.jump(-settings.jump),
    forward: () => player.jump(settings.jump),
    slower: () => setSpeed(player.state.speed - SPEEDS.step),
    faster: () => setSpeed(player.state.speed + SPEEDS.step),
    normal: () => setSpeed(1),
    loop: () => notify(toggleLoop(work)),
    playHere: () => {
      const { ts } = editor.place();
      if (ts !== undefined) player.seek(ts);
      player.play();
    },
    toPlaying: () => {
      editor.goTo(player.at);
      editor.focus();
    },
    follow: () => {
      changeSettings({ follow: !settings.follow });
      notify(settings.follow ? 'The text stays where it is.' : 'The text follows the audio.');
    },
    doubts: () => {
      changeSettings({ doubts: !settings.doubts });
      notify(settings.doubts ? 'Low confidence is not marked.' : 'Low confidence is marked.');
    },
    zoomIn: () => setZoom(settings.zoom * 1.5),
    zoomOut: () => setZoom(settings.zoom / 1.5),
  };
}

/** Repeats the selected words, or the turn of the cursor; ends a repetition. Returns a sentence on it. */
function toggleLoop({ player, editor }: Work): string {
  if (player.state.loop) {
    player.setLoop(undefined);
    return 'Repeating has ended.';
  }
  const { doc, selection } = editor.view.state;
  const { from, to, empty } = selection.main;
  const first = doc.lineAt(from);
  const turns = editor.turns(first.number - 1, doc.lineAt(to).number);
  const span = empty
    ? spokenSpan(turns, 0, Number.POSITIVE_INFINITY)
    : spokenSpan(turns, from - first.from, to - first.from);
  if (!span) return 'Nothing to repeat: these words have no times.';
  player.setLoop(span);
  player.seek(span.start);
  player.play();
  return empty ? 'The turn is repeated.' : 'The selection is repeated.';
}

/** Inserts a term at the cursor, in place of the selection. */
export function insertTerm({ editor }: Work, term: string): void {
  if (editor.insert(term)) editor.focus();
}
