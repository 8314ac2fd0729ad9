import { EditorView } from '@codemirror/view';
import { dequal } from 'dequal/lite';
import type { DeskDraftJson, DeskOpenJobJson } from '../../../protocol/desk.ts';
import { styleNonce } from '../../thisPage.ts';
import type { DeskApi } from '../api.ts';
import { type ClaimEvent, type ClaimKeeper, type ClaimState, keepClaim, mayType } from '../claim.ts';
import type { CallError } from '../editor/calls.ts';
import { DraftSaver } from '../editor/draftSaver.ts';
import type { SaveState } from '../editor/saveState.ts';
import type { Speaker } from '../editor/speakerNames.ts';
import { restoreDraft } from '../editor/storedDraft.ts';
import { openPast } from '../editor/storedPast.ts';
import {
  createTranscriptEditor,
  type TranscriptEditor,
  type TranscriptEditorOptions,
} from '../editor/transcriptEditor.ts';
import { loadPlace, type Place, savePlace } from '../place.ts';
import { openPlayer, type Player, type PlayerState } from '../player/player.ts';

/** A job that is open at this page. */
export interface OpenJob {
  readonly open: DeskOpenJobJson;
  readonly draft: DeskDraftJson;
}

/** State of the work at a job, as the page shows it. */
export interface WorkView {
  readonly save: SaveState;
  readonly claim: ClaimState;
  readonly player: PlayerState;
  /** Speakers of the text, soon after a change. */
  readonly speakers: readonly Speaker[];
}

/** The work at a job: text, audio, claim. */
export interface Work {
  readonly editor: TranscriptEditor;
  readonly saver: DraftSaver;
  readonly player: Player;
  readonly claim: ClaimKeeper;
  /** Called with the place of the audio in seconds, up to once a frame. */
  readonly onTime: Set<(seconds: number) => void>;
  close(): void;
}

export interface WorkOptions
  extends Pick<TranscriptEditorOptions, 'onSelectWord' | 'onSpeaker' | 'onRefused'> {
  readonly api: DeskApi;
  readonly job: OpenJob;
  /** Element of the text. */
  readonly parent: HTMLElement;
  readonly onView: (view: WorkView) => void;
  /** Called when the changes of another person, or window, have been merged with the text. */
  readonly onMerged: (author: string | undefined) => void;
}

/** Milliseconds after a change until the speakers are counted. */
const SPEAKERS_MS = 200;

/** Milliseconds between two times at which the place is stored. */
const PLACE_MS = 2000;

const SILENT = { isPlaying: false, problem: '' } as const;
const BEGUN = { save: { type: 'saved', isStored: true }, claim: 'held', speakers: [] } as const;

export function startWork({ api, job, parent, onView, onMerged, ...editing }: WorkOptions): Work {
  const { open, draft } = job;
  const jobId = open.job.id;
  const place = loadPlace(jobId);
  const restored = restoreDraft(localStorage, jobId, draft);
  const past = openPast(sessionStorage, jobId);
  const onTime = new Set<(seconds: number) => void>();
  const show = createView({ ...BEGUN, player: { ...SILENT, speed: place.speed } }, onView);
  const editor = createTranscriptEditor({
    parent,
    turns: restored.turns,
    cspNonce: styleNonce(),
    language: open.job.language,
    speakerNames: restored.names,
    past: [...past.read(draft.revision), ...restored.back],
    phrases: open.phrases,
    onChange: change => {
      for (const each of [saver, speakers]) each.changed(change);
    },
    ...editing,
  });
  const speakers = watchSpeakers(editor, found => show({ speakers: found }));
  const saver = new DraftSaver({
    jobId,
    calls: api,
    draft,
    restored,
    editor,
    storage: localStorage,
    past,
    events: window,
    onMerged,
    onState: save => {
      show({ save });
      const event = claimEventOfSave(save);
      if (event) claim.report(event);
    },
  });
  const claim = keepClaim({
    ask: askClaim(api, jobId),
    onState: state => {
      show({ claim: state });
      editor.setReadOnly(!mayType(state));
      if (state === 'held') saver.resume();
    },
  });
  const player = openPlayer({
    address: () => api.openAudio(jobId),
    spans: open.segments,
    at: place.at,
    speed: place.speed,
    onState: state => show({ player: state }),
    onTime: seconds => {
      editor.markPlaying(seconds);
      for (const each of onTime) each(seconds);
    },
  });
  const keeping = keepPlace(jobId, place, editor, player);
  const clicks = seekByClicks(parent, editor, player);
  return {
    editor,
    saver,
    player,
    claim,
    onTime,
    close: () => {
      for (const each of [keeping, speakers, clicks, claim, saver, player, editor]) each.close();
    },
  };
}

/** Returns a function that changes the state of the work, and shows it. */
function createView(begun: WorkView, onView: (view: WorkView) => void) {
  let view = begun;
  return (changes: Partial<WorkView>) => {
    view = { ...view, ...changes };
    onView(view);
  };
}

const askClaim = (api: DeskApi, jobId: string) => () =>
  api.claim(jobId).then((): ClaimEvent => 'confirmed', claimEventOf);

/** Returns the event of the claim for the failure of a call. */
function claimEventOf({ status, conflict = 'revision' }: CallError): ClaimEvent {
  if (status === 401) return 'unauthorized';
  if (status === 404) return 'ended';
  return status === 409 ? conflict : 'unreachable';
}

function claimEventOfSave({ type }: SaveState): ClaimEvent | undefined {
  if (type === 'offline') return 'unreachable';
  return type === 'lapsed' || type === 'claimed' || type === 'ended' ? type : undefined;
}

/** Reports the speakers of the text, at once and soon after each change. */
function watchSpeakers(editor: TranscriptEditor, onSpeakers: (speakers: readonly Speaker[]) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: readonly Speaker[] = [];
  const show = () => {
    timer = undefined;
    const speakers = editor.speakers.list();
    if (dequal(speakers, shown)) return;
    shown = speakers;
    onSpeakers(speakers);
  };
  show();
  return {
    changed: () => {
      timer ??= setTimeout(show, SPEAKERS_MS);
    },
    close: () => clearTimeout(timer),
  };
}

/** Goes to a stored place, then stores the present place regularly. */
function keepPlace(jobId: string, place: Place, { view }: TranscriptEditor, player: Player) {
  const within = (position: number) => Math.min(position, view.state.doc.length);
  view.dispatch({
    selection: { anchor: within(place.cursor) },
    effects: place.top > 0 ? EditorView.scrollIntoView(within(place.top), { y: 'start', yMargin: 0 }) : [],
  });
  const store = () =>
    savePlace(jobId, {
      at: player.at,
      speed: player.state.speed,
      cursor: view.state.selection.main.head,
      top: topOf(view),
    });
  const timer = setInterval(store, PLACE_MS);
  window.addEventListener('pagehide', store);
  return {
    close: () => {
      store();
      clearInterval(timer);
      window.removeEventListener('pagehide', store);
    },
  };
}

/** Returns the position of the first visible row; 0 at the very start. */
function topOf(view: EditorView): number {
  if (view.scrollDOM.scrollTop === 0) return 0;
  const { left, width, top } = view.contentDOM.getBoundingClientRect();
  const y = Math.max(top, view.scrollDOM.getBoundingClientRect().top);
  return view.posAtCoords({ x: left + width / 2, y: y + ROW_PIXELS }, false);
}

/** Less than the height of a row, more than its hidden part. */
const ROW_PIXELS = 8;

/** With Ctrl, or ⌘ on a Mac, a click on a word moves the audio there, whatever the settings are. */
function seekByClicks(parent: HTMLElement, editor: TranscriptEditor, player: Player) {
  const closing = new AbortController();
  const onClick = ({ ctrlKey, metaKey }: MouseEvent) => {
    const ts = ctrlKey || metaKey ? editor.place().ts : undefined;
    if (ts !== undefined) player.seek(ts);
  };
  parent.addEventListener('click', onClick, { signal: closing.signal });
  return { close: () => closing.abort() };
}
