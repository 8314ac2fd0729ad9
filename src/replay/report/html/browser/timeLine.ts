import type { PageFile, PageWord, PlacedText } from '../pageData.ts';
import type { PageElement } from './dom.ts';
import { clockTenths, make, makeButton } from './elements.ts';
import type { Position } from './position.ts';

/** Pixels a second: least, at the start, most. */
const ZOOM = { min: 30, start: 160, max: 480 };

/** What each kind of word is called, and the mark that tells it from others without colours. */
export const KINDS: Readonly<Record<PageWord['type'], { readonly name: string; readonly mark: string }>> = {
  hit: { name: 'right', mark: '' },
  substitution: { name: 'substituted', mark: '≠' },
  deletion: { name: 'deleted', mark: '−' },
  insertion: { name: 'inserted', mark: '+' },
};

/**
 * The words at their places in the audio, what was said above what was heard. One stop of the tab key: arrows go from
 * word to word.
 */
export function makeTimeLine(file: PageFile, position: Position): readonly [PageElement, PageElement] {
  const strip = make('div', 'strip');
  const lane = make('div', 'lane');
  const words = file.words.map(makeWord);
  const head = make('div', 'head');
  lane.append(...ruler(file.seconds), ...words.flat(), head);
  strip.append(lane);
  strip.setAttribute('role', 'group');
  strip.setAttribute('aria-label', 'Words on a time line: said above, heard below');
  placeEnd(lane, file.seconds);
  const walk = makeWalk(file, words, position, strip);
  let zoom = ZOOM.start;
  const setZoom = (factor: number) => {
    zoom = Math.max(ZOOM.min, Math.min(ZOOM.max, zoom * factor));
    strip.style.setProperty('--zoom', `${zoom}px`);
    show(strip, position.seconds * zoom, true);
  };
  position.onChange((seconds, isPlaying) => {
    head.style.setProperty('--ts', String(seconds));
    show(strip, seconds * zoom, isPlaying);
  });
  setZoom(1);
  return [strip, tools(file, walk, setZoom)];
}

function tools(file: PageFile, walk: Walk, setZoom: (factor: number) => void): PageElement {
  const bar = make('div', 'tools');
  if (file.words.some(({ type }) => type !== 'hit')) {
    bar.append(
      makeButton('◀ error', 'Error before', () => walk.toError(-1)),
      makeButton('error ▶', 'Next error', () => walk.toError(1)),
    );
  }
  bar.append(
    makeButton('−', 'Show more time', () => setZoom(1 / 1.5)),
    makeButton('+', 'Show less time', () => setZoom(1.5)),
  );
  return bar;
}

/** Keeps a place of the strip in sight; `always`: a third from its start while it plays. */
function show(strip: PageElement, x: number, isPlaying: boolean): void {
  const { scrollLeft, clientWidth } = strip;
  if (
    isPlaying
      ? x < scrollLeft || x > scrollLeft + 0.7 * clientWidth
      : x < scrollLeft || x > scrollLeft + clientWidth
  ) {
    strip.scrollLeft = Math.max(0, x - clientWidth / 3);
  }
}

/** A mark each second; of long audio, where it would be many, every fifth. */
function ruler(seconds: number): PageElement[] {
  const step = seconds > 600 ? 5 : 1;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => {
    const second = index * step;
    const mark = make('span', second % 5 === 0 ? 'second five' : 'second', clockTenths(second).slice(0, -2));
    mark.style.setProperty('--ts', String(second));
    mark.setAttribute('aria-hidden', 'true');
    return mark;
  });
}

function placeEnd(lane: PageElement, seconds: number): void {
  lane.style.setProperty('--seconds', String(seconds));
}

/** The button of a word, and above or below it its other side. */
function makeWord(word: PageWord, index: number): PageElement[] {
  const { name, mark } = KINDS[word.type];
  const { reference, hypothesis } = word;
  const button = placedWord(
    'button',
    `word ${word.type} ${hypothesis ? 'heard' : 'said'}`,
    (hypothesis ?? reference)!,
  );
  button.setAttribute('type', 'button');
  button.dataset.index = String(index);
  button.dataset.mark = mark;
  button.tabIndex = -1;
  const texts = [reference && `said ${reference.text}`, hypothesis && `heard ${hypothesis.text}`];
  const known = texts.filter(text => text !== undefined).join(', ');
  const label = `${clockTenths((hypothesis ?? reference)!.ts)} ${name}: ${known}`;
  button.setAttribute('aria-label', label);
  button.title = label;
  if (!reference || !hypothesis) return [button];
  const above = placedWord('span', `word ${word.type} said`, reference);
  above.setAttribute('aria-hidden', 'true');
  above.dataset.at = String(index);
  return [above, button];
}

function placedWord(tag: string, className: string, { text, ts, endTs }: PlacedText): PageElement {
  // What has a mark beside it is cut off within.
  const element = make(tag, className, className.includes('hit') ? text : make('bdi', '', text));
  element.style.setProperty('--ts', String(ts));
  element.style.setProperty('--length', String(endTs - ts));
  return element;
}

interface Walk {
  /** To the next error, or back to the one before. */
  toError(direction: 1 | -1): void;
}

function makeWalk(
  { words }: PageFile,
  elements: readonly (readonly PageElement[])[],
  position: Position,
  strip: PageElement,
): Walk {
  const buttons = elements.map(pair => pair.at(-1)!);
  let current = 0;
  const choose = (index: number, isSought = false) => {
    if (!buttons[index]) return;
    buttons[current]!.tabIndex = -1;
    current = index;
    buttons[index].tabIndex = 0;
    buttons[index].focus({ preventScroll: true });
    const { ts } = (words[index]!.hypothesis ?? words[index]!.reference)!;
    if (isSought) position.seek(ts);
    else show(strip, buttons[index].offsetLeft, false);
  };
  if (buttons[0]) buttons[0].tabIndex = 0;
  strip.addEventListener('click', ({ target }) => {
    const word = target.closest('.word');
    if (word) choose(Number(word.dataset.index ?? word.dataset.at), true);
  });
  strip.addEventListener('keydown', event => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: buttons.length - 1 };
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const index = step === undefined ? ends[event.key] : current + step;
    if (index === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(buttons.length - 1, index)));
  });
  return {
    toError(direction) {
      let index = current + direction;
      while (words[index]?.type === 'hit') index += direction;
      choose(index, true);
    },
  };
}
