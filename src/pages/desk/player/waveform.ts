import WaveSurfer from 'wavesurfer.js';
import { styleNonce } from '../../thisPage.ts';
import { outsideOf, type Span } from './spans.ts';

export interface WaveformOptions {
  readonly container: HTMLElement;
  readonly audio: HTMLAudioElement;
  /** Samples, or the loudest ones from 0 to 1, which the browser need not decode. */
  readonly samples: Float32Array;
  readonly seconds: number;
  /** Pixels for a second. */
  readonly zoom: number;
  /** Pixels. Default: the height of the container. */
  readonly height?: number;
  /** Parts that are played. Default: all. */
  readonly spans?: readonly Span[];
  /** Words to show below, of which those with times are shown. */
  readonly words?: readonly { readonly ts?: number; readonly value: string }[];
  readonly onSeek?: (seconds: number) => void;
}

export type Waveform = ReturnType<typeof drawWaveform>;

export function drawWaveform(options: WaveformOptions) {
  const { container, audio, samples, seconds, zoom, height = 'auto', spans, words = [], onSeek } = options;
  const drawn = WaveSurfer.create({
    container,
    media: audio,
    peaks: [samples],
    duration: seconds,
    minPxPerSec: zoom,
    height,
    // Without it, the waveform jumps by whole views instead of gliding.
    autoCenter: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    cspNonce: styleNonce(),
    ...colors(),
  });
  if (onSeek) drawn.on('interaction', onSeek);
  const wrapper = drawn.getWrapper();
  // The player has a slider for keys.
  if (wrapper.parentElement) wrapper.parentElement.tabIndex = -1;
  if (spans) wrapper.append(...outsideOf(spans, seconds).map(span => spanElement('outside', span, seconds)));
  if (words.length > 0) wrapper.append(wordRows(words, seconds));
  const themes = new MutationObserver(() => drawn.setOptions(colors()));
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  let loopElement: HTMLElement | undefined;
  return {
    setZoom: (next: number) => {
      if (drawn.options.minPxPerSec !== next && drawn.getDecodedData()) drawn.zoom(next);
    },
    setLoop: (loop: Span | undefined) => {
      loopElement?.remove();
      loopElement = loop && spanElement('loop', loop, seconds);
      if (loopElement) wrapper.append(loopElement);
    },
    close: () => {
      themes.disconnect();
      drawn.destroy();
    },
  };
}

function colors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    waveColor: color('--dim'),
    progressColor: color('--accent'),
    cursorColor: color('--text'),
    cursorWidth: 2,
  };
}

/** Returns an element with words at their times, in two rows, so that each has room. */
function wordRows(words: NonNullable<WaveformOptions['words']>, seconds: number): HTMLElement {
  const rows = document.createElement('div');
  rows.part.add('words');
  for (const { ts, value } of words) {
    if (ts === undefined) continue;
    const word = spanElement('word', { start: ts, end: ts }, seconds);
    word.textContent = value;
    word.style.insetBlockStart = rows.childElementCount % 2 === 0 ? '0' : '50%';
    rows.append(word);
  }
  return rows;
}

/** Returns an element over a span, which the style sheet reaches by its part. */
function spanElement(part: string, { start, end }: Span, seconds: number): HTMLElement {
  const element = document.createElement('div');
  element.part.add(part);
  Object.assign(element.style, {
    position: 'absolute',
    insetBlock: '0',
    left: `${(100 * start) / seconds}%`,
    width: `${(100 * (end - start)) / seconds}%`,
    pointerEvents: 'none',
    zIndex: '4',
  });
  return element;
}
