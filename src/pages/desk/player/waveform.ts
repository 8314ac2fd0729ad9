import WaveSurfer from 'wavesurfer.js';
import type { DeskPeaksJson } from '../../../protocol/desk.ts';
import { styleNonce } from '../../thisPage.ts';
import { outsideOf, type Span } from './spans.ts';

export interface WaveformOptions {
  readonly container: HTMLElement;
  readonly peaks: DeskPeaksJson;
  readonly spans: readonly Span[];
  /** Pixels for a second. */
  readonly zoom: number;
  readonly audio: HTMLAudioElement;
  readonly onSeek: (seconds: number) => void;
}

export type Waveform = ReturnType<typeof drawWaveform>;

/** Draws the peaks of the server, so that the browser never decodes the audio. */
export function drawWaveform({ container, peaks, spans, zoom, audio, onSeek }: WaveformOptions) {
  const { seconds } = peaks;
  const drawn = WaveSurfer.create({
    container,
    media: audio,
    // The loudest samples, from 0 to 1.
    peaks: [Float32Array.from(atob(peaks.peaks), byte => byte.charCodeAt(0) / 255)],
    duration: seconds,
    minPxPerSec: zoom,
    height: 'auto',
    // Without it, the waveform jumps by whole views instead of gliding.
    autoCenter: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    cspNonce: styleNonce(),
    ...colors(),
  });
  drawn.on('interaction', onSeek);
  const wrapper = drawn.getWrapper();
  // The player has a slider for keys.
  if (wrapper.parentElement) wrapper.parentElement.tabIndex = -1;
  wrapper.append(...outsideOf(spans, seconds).map(span => spanElement('outside', span, seconds)));
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
    /** Draws in the colours of the document again. */
    recolor: () => drawn.setOptions(colors()),
    close: () => drawn.destroy(),
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
