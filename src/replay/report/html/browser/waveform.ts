import type { PageFile, PageWord } from '../pageData.ts';
import type { Peaks } from '../peaks.ts';
import { clockTenths, make, makeSvg, placeAcross } from './elements.ts';
import type { Position } from './position.ts';
import { placeOf } from './timedWords.ts';

/** Steps of the keys, in seconds. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Makes a slider over the whole audio with its waveform, gaps in coverage and word errors. */
export function makeWaveform(file: PageFile, peaks: Peaks | undefined, position: Position): HTMLElement {
  const wave = make('div', peaks ? 'wave' : 'wave bare');
  if (peaks) wave.append(outline(peaks));
  for (const { kind, ts, endTs } of file.spans) {
    wave.append(placeAcross(make('div', `band ${kind}`), ts, endTs, file.seconds));
  }
  for (const word of file.words) {
    if (word.type !== 'hit') wave.append(tick(word, file.seconds));
  }
  const head = make('div', 'head');
  wave.append(head);
  makeSlider(wave, file.seconds, position);
  position.onChange(seconds => {
    placeAcross(head, seconds, seconds, file.seconds);
    wave.setAttribute('aria-valuenow', seconds.toFixed(1));
    wave.setAttribute('aria-valuetext', clockTenths(seconds));
  });
  return wave;
}

function outline({ min, max }: Peaks): Element {
  const top = Math.max(1, ...max, ...min.map(value => -value));
  const upper = max.map((value, column) => `L${column} ${-value}`);
  const lower = min.map((value, column) => `L${column} ${-value}`).reverse();
  const picture = makeSvg('svg', {
    viewBox: `0 ${-top} ${Math.max(1, max.length - 1)} ${2 * top}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  picture.append(makeSvg('path', { d: `M0 0${upper.join('')}${lower.join('')}Z` }));
  return picture;
}

function tick(word: PageWord, seconds: number): HTMLElement {
  const { ts, endTs } = placeOf(word);
  return placeAcross(make('div', `tick ${word.type}`), ts, endTs, seconds);
}

function makeSlider(wave: HTMLElement, seconds: number, position: Position): void {
  wave.tabIndex = 0;
  wave.setAttribute('role', 'slider');
  wave.setAttribute('aria-label', 'Position in the audio');
  wave.setAttribute('aria-valuemin', '0');
  wave.setAttribute('aria-valuemax', seconds.toFixed(1));
  wave.addEventListener('click', ({ clientX }) => {
    const { left, width } = wave.getBoundingClientRect();
    position.seek((seconds * (clientX - left)) / width);
  });
  wave.addEventListener('keydown', event => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: seconds };
    const step = STEPS[event.key];
    const target = step === undefined ? ends[event.key] : position.seconds + step;
    if (target === undefined && event.key !== ' ') return;
    event.preventDefault();
    if (target === undefined) position.toggle();
    else position.seek(target);
  });
}
