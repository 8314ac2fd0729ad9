import type { PageFile } from '../pageData.ts';
import type { PageElement } from './dom.ts';
import { clockTenths, make, makeButton } from './elements.ts';
import type { Position } from './position.ts';
import { makeTimedWords } from './timedWords.ts';
import { makeWordWalk, type WordWalk } from './wordWalk.ts';

/** Pixels a second: least, at the start, most. */
const ZOOM = { min: 30, start: 160, max: 640 };

/** What a press of a button zooms by. */
const ZOOM_STEP = 1.5;

/**
 * The words at their places in the audio, what was said above what was heard, and the buttons to it. One stop of the tab
 * key: arrows go from word to word.
 */
export function makeTimeLine(file: PageFile, position: Position): readonly [PageElement, PageElement] {
  const strip = make('div', 'strip');
  const lane = make('div', 'lane');
  const head = make('div', 'head');
  const { parts, buttons } = makeTimedWords(file.words);
  lane.append(...ruler(file.seconds), ...parts, head);
  lane.style.setProperty('--seconds', String(file.seconds));
  strip.append(lane);
  strip.setAttribute('role', 'group');
  strip.setAttribute('aria-label', 'Words on a time line: said above, heard below');
  let zoom = ZOOM.start;
  const reveal = (seconds: number, isPlaying = false) => show(strip, seconds * zoom, isPlaying);
  const setZoom = (factor: number) => {
    zoom = Math.max(ZOOM.min, Math.min(ZOOM.max, zoom * factor));
    strip.style.setProperty('--zoom', `${zoom}px`);
    reveal(position.seconds, true);
  };
  setZoom(1);
  position.onChange((seconds, isPlaying) => {
    head.style.setProperty('--ts', String(seconds));
    reveal(seconds, isPlaying);
  });
  const walk = makeWordWalk(strip, file.words, buttons, { reveal, seek: position.seek });
  return [strip, makeTools(file, walk, setZoom)];
}

function makeTools(file: PageFile, walk: WordWalk, setZoom: (factor: number) => void): PageElement {
  const tools = make('div', 'tools');
  if (file.words.some(({ type }) => type !== 'hit')) {
    tools.append(
      makeButton('◀ error', 'Error before', () => walk.toError(-1)),
      makeButton('error ▶', 'Next error', () => walk.toError(1)),
    );
  }
  tools.append(
    makeButton('−', 'Show more time', () => setZoom(1 / ZOOM_STEP)),
    makeButton('+', 'Show less time', () => setZoom(ZOOM_STEP)),
  );
  return tools;
}

/** Brings a place of the strip into sight; while it plays, before it leaves it. */
function show(strip: PageElement, x: number, isPlaying: boolean): void {
  const { scrollLeft, clientWidth } = strip;
  const end = scrollLeft + (isPlaying ? 0.7 : 0.95) * clientWidth;
  if (x < scrollLeft || x > end) strip.scrollLeft = Math.max(0, x - clientWidth / 3);
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
