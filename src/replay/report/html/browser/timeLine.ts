import type { PageFile, PageWord } from '../pageData.ts';
import { clockTenths, make, makeButton, targetOf } from './elements.ts';
import type { Position } from './position.ts';
import { makeTimedWords, placeOf } from './timedWords.ts';

/** Pixels per second: minimum, initial value and maximum. */
const ZOOM = { min: 30, start: 160, max: 640 };

/** Zoom factor of a button. */
const ZOOM_STEP = 1.5;

/**
 * Makes the time line with the words of the reference above those of the transcript, and its buttons. The waveform is above
 * the words, and has their time scale. The words are one tab stop, in which arrow keys move between them.
 */
export function makeTimeLine(
  file: PageFile,
  position: Position,
  wave: HTMLElement,
): readonly [HTMLElement, HTMLElement] {
  const strip = make('div', 'strip');
  const lane = make('div', 'lane');
  const head = make('div', 'head');
  const { parts, buttons } = makeTimedWords(file.words);
  lane.append(...ruler(file.seconds), ...parts, head);
  strip.style.setProperty('--seconds', String(file.seconds));
  strip.append(wave, lane);
  lane.setAttribute('role', 'group');
  lane.setAttribute('aria-label', 'Words on a time line: said above, heard below');
  let zoom = ZOOM.start;
  const reveal = (seconds: number, isPlaying = false) => show(strip, seconds * zoom, isPlaying);
  const setZoom = (factor: number) => {
    // All of a long recording fits into the view.
    const least = Math.min(ZOOM.min, strip.clientWidth / file.seconds || ZOOM.min);
    zoom = Math.max(least, Math.min(ZOOM.max, zoom * factor));
    strip.style.setProperty('--zoom', `${zoom}px`);
    reveal(position.seconds, true);
  };
  setZoom(1);
  position.onChange((seconds, isPlaying) => {
    head.style.setProperty('--ts', String(seconds));
    reveal(seconds, isPlaying);
  });
  const navigation = makeWordNavigation(lane, file.words, buttons, { reveal, seek: position.seek });
  return [strip, makeTools(file, navigation, setZoom)];
}

function makeTools(
  file: PageFile,
  navigation: WordNavigation,
  setZoom: (factor: number) => void,
): HTMLElement {
  const tools = make('div', 'tools');
  if (file.words.some(({ type }) => type !== 'hit')) {
    tools.append(
      makeButton('◀ error', 'Previous error', () => navigation.toError(-1)),
      makeButton('error ▶', 'Next error', () => navigation.toError(1)),
    );
  }
  tools.append(
    makeButton('−', 'Show more time', () => setZoom(1 / ZOOM_STEP)),
    makeButton('+', 'Show less time', () => setZoom(ZOOM_STEP)),
  );
  return tools;
}

/** Scrolls the strip to a place; during playback before the place leaves the view. */
function show(strip: HTMLElement, x: number, isPlaying: boolean): void {
  const { scrollLeft, clientWidth } = strip;
  const end = scrollLeft + (isPlaying ? 0.7 : 0.95) * clientWidth;
  if (x < scrollLeft || x > end) strip.scrollLeft = Math.max(0, x - clientWidth / 3);
}

/** Makes a mark per second, or every five seconds for long audio. */
function ruler(seconds: number): HTMLElement[] {
  const step = seconds > 600 ? 5 : 1;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => {
    const second = index * step;
    const mark = make('span', second % 5 === 0 ? 'second five' : 'second', clockTenths(second).slice(0, -2));
    mark.style.setProperty('--ts', String(second));
    mark.setAttribute('aria-hidden', 'true');
    return mark;
  });
}

/** Actions on a word. */
export interface NavigationActions {
  /** Scrolls to the word. */
  reveal(seconds: number): void;
  /** Moves the position to the word. */
  seek(seconds: number): void;
}

export interface WordNavigation {
  /** Moves to the next or previous error. */
  toError(direction: 1 | -1): void;
}

/** Makes the word buttons one tab stop, in which arrow keys move between words. */
export function makeWordNavigation(
  lane: HTMLElement,
  words: readonly PageWord[],
  buttons: readonly HTMLElement[],
  { reveal, seek }: NavigationActions,
): WordNavigation {
  let current = 0;
  const choose = (index: number, act: (seconds: number) => void) => {
    const [button, word] = [buttons[index], words[index]];
    if (!button || !word) return;
    buttons[current]?.setAttribute('tabindex', '-1');
    current = index;
    button.tabIndex = 0;
    button.focus({ preventScroll: true });
    act(placeOf(word).ts);
  };
  if (buttons[0]) buttons[0].tabIndex = 0;
  lane.addEventListener('click', event => {
    const word = targetOf(event, '.word');
    if (word) choose(Number(word.dataset.index ?? word.dataset.at), seek);
  });
  lane.addEventListener('keydown', event => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: buttons.length - 1 };
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const index = step === undefined ? ends[event.key] : current + step;
    if (index === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(buttons.length - 1, index)), reveal);
  });
  return {
    toError(direction) {
      let index = current + direction;
      while (words[index]?.type === 'hit') index += direction;
      choose(index, seek);
    },
  };
}
