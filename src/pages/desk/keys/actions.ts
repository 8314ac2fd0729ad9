export const ACTION_GROUPS = ['Audio', 'Text', 'Speakers', 'Vocabulary', 'Job'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** The actions of the first speakers and terms, from 0 upwards. */
export const SPEAKER_ACTIONS = DIGITS.map(n => `speaker${n}` as const);
export const TERM_ACTIONS = DIGITS.map(n => `term${n}` as const);

/**
 * Every action with its default keys. Escape, and F2, F3, F4, F7, F8 and F9 as foot pedals send them, are those of
 * oTranscribe and Express Scribe; F5, F6, F11 and F12 stay with the browser.
 */
const ACTIONS = [
  action('Audio', 'play', 'Play or pause', 'Escape', 'F4', 'Alt+K', 'Ctrl+Space', 'MediaPlayPause'),
  action('Audio', 'hold', 'Play while held, for pedals', 'F9'),
  action('Audio', 'back', 'Jump back', 'F7', 'Alt+J', 'MediaTrackPrevious'),
  action('Audio', 'forward', 'Jump forward', 'F8', 'Alt+L', 'MediaTrackNext'),
  action('Audio', 'slower', 'Slower', 'F2', 'Alt+-'),
  action('Audio', 'faster', 'Faster', 'F3', 'Alt+=', 'Alt+Plus'),
  action('Audio', 'normal', 'Normal speed', 'Alt+0'),
  action('Audio', 'loop', 'Repeat the turn or the selection', 'Alt+R'),
  action('Audio', 'playHere', 'Play from the cursor', 'Ctrl+Enter'),
  action('Audio', 'toPlaying', 'Put the cursor at the word that plays', 'Alt+G'),
  action('Audio', 'follow', 'Keep the word that plays in view', 'Alt+Shift+G'),
  action('Audio', 'zoomIn', 'Waveform closer', 'Alt+Shift+ArrowUp'),
  action('Audio', 'zoomOut', 'Waveform wider', 'Alt+Shift+ArrowDown'),
  action('Text', 'split', 'Split the turn at the cursor', 'Alt+Enter'),
  action('Text', 'merge', 'Join the turn to the one before, or the selected ones', 'Alt+M'),
  action('Text', 'inaudible', 'Insert [inaudible]', 'Alt+I'),
  action('Text', 'nextDoubtful', 'Next word of low confidence', 'Alt+N'),
  action('Text', 'previousDoubtful', 'Previous word of low confidence', 'Alt+Shift+N'),
  action('Text', 'doubts', 'Mark words of low confidence, or do not', 'Alt+C'),
  action('Text', 'nextUntimed', 'Next word without a time', 'Alt+U'),
  action('Text', 'find', 'Find', 'Ctrl+F'),
  action('Text', 'findNext', 'Find the next one', 'Ctrl+G'),
  action('Text', 'findPrevious', 'Find the previous one', 'Ctrl+Shift+G'),
  action('Text', 'replace', 'Find and replace', 'Ctrl+H', 'Ctrl+Alt+F'),
  action('Text', 'undo', 'Undo', 'Ctrl+Z'),
  action('Text', 'redo', 'Redo', 'Ctrl+Y', 'Ctrl+Shift+Z'),
  action('Text', 'text', 'Go to the text', 'Alt+T'),
  action('Speakers', 'speaker', 'Name the speaker of the turn', 'Alt+S'),
  ...SPEAKER_ACTIONS.map((id, n) =>
    action('Speakers', id, `Speaker ${n + 1}`, `Ctrl+${n + 1}`, `Alt+${n + 1}`),
  ),
  action('Vocabulary', 'terms', 'Search the vocabulary', 'Alt+V'),
  ...TERM_ACTIONS.map((id, n) => action('Vocabulary', id, `Insert term ${n + 1}`, `Alt+Shift+${n + 1}`)),
  action('Vocabulary', 'propose', 'Propose the selected word', 'Alt+P'),
  action('Job', 'save', 'Save now', 'Ctrl+S'),
  action('Job', 'finish', 'Finish', 'Ctrl+Shift+Enter'),
  action('Job', 'release', 'Give the job back', 'Alt+Shift+R'),
  action('Job', 'queue', 'To the queue', 'Alt+Q'),
  action('Job', 'settings', 'Settings', 'Ctrl+,'),
  action('Job', 'keys', 'Change keys', 'Alt+Shift+K'),
  action('Job', 'help', 'Help', 'F1'),
];

/** Returns an action: its group on the pages, its title, and the chords that start it by default. */
function action<const Id extends string>(group: ActionGroup, id: Id, title: string, ...keys: string[]) {
  return { id, group, title, keys };
}

export type ActionId = (typeof ACTIONS)[number]['id'];

/** An action of the desk that keys start. */
export interface DeskAction {
  readonly id: ActionId;
  readonly group: ActionGroup;
  readonly title: string;
  /** Default chords, for a person who has chosen no others. */
  readonly keys: readonly string[];
}

export const DESK_ACTIONS: readonly DeskAction[] = ACTIONS;

/** Functions of actions. An action without a function leaves its keys to the browser. */
export type Handlers = Readonly<Partial<Record<ActionId, () => void>>>;
