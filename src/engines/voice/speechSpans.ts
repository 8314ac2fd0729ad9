import { createBlocks, createRecentAudio } from '../../audio/sampleBuffers.ts';
import { createEndpointer, ONSET_FRAMES, PRE_ROLL_FRAMES, type SpeechEdge } from './endpointer.ts';
import { quietestFrame } from './quietestFrame.ts';
import { VOICE_SAMPLE_RATE, VOICE_WINDOW_FRAMES, type VoiceDetector } from './voiceDetector.ts';

/** Audio after the last voice that is part of an utterance: words end softly. */
const POST_ROLL_FRAMES = 0.2 * VOICE_SAMPLE_RATE;
/** Voice below which a span is the rest of a word, or noise. */
const LEAST_VOICE_FRAMES = 0.1 * VOICE_SAMPLE_RATE;
/** Audio kept during silence: the reach of the next utterance and of the context before it. */
const KEPT_FRAMES = PRE_ROLL_FRAMES + ONSET_FRAMES + 3 * VOICE_SAMPLE_RATE;

/** A stretch of speech in a stream, in frames since its start. Spans do not overlap, whatever the pause. */
export interface SpeechSpan {
  readonly startFrame: number;
  readonly endFrame: number;
  /** True when the length limit ended the span, not a pause. */
  readonly cut: boolean;
}

export interface SpeechSpansOptions {
  /** Seconds of silence that end an utterance. */
  readonly pauseSeconds: number;
  /** Limit of an utterance in frames; a longer one is cut at the quietest frame of its second half. */
  readonly maxFrames: number;
  /** Called with each utterance after its end. */
  readonly onSpan: (span: SpeechSpan) => void;
  /**
   * Called during a pause, with the utterance as it would end if the pause continues. Called again after more
   * voice.
   */
  readonly onPause?: (span: SpeechSpan) => void;
}

/**
 * A stream of samples at {@link VOICE_SAMPLE_RATE}, cut into utterances. The sizes of the writes do not
 * matter.
 */
export interface SpeechSpans extends Disposable {
  /** Frames so far, in whole windows of the voice detector. */
  readonly now: number;
  /** Start of the current utterance; undefined during silence. */
  readonly startFrame: number | undefined;
  write(samples: Int16Array): void;
  /** Ends the current utterance now, as its pause would. Later speech belongs to the next utterance. */
  flush(): void;
  /** Ends the last utterance with the audio. */
  finish(): void;
  /**
   * Returns a copy of the audio between two frames, as far as it is kept: the last 3.4 s and the current
   * utterance.
   */
  audio(startFrame: number, endFrame: number): Int16Array;
}

/** @param detector disposed of with the spans */
export function createSpeechSpans(detector: VoiceDetector, options: SpeechSpansOptions): SpeechSpans {
  const { pauseSeconds, maxFrames, onSpan, onPause } = options;
  const endpointer = createEndpointer(detector, pauseSeconds);
  const recent = createRecentAudio();
  const windows = createBlocks(VOICE_WINDOW_FRAMES);
  let now = 0;
  let start: number | undefined;
  let lastEnd = 0;

  function spanTo(endFrame: number, cut = false): SpeechSpan | undefined {
    if (start === undefined) return undefined;
    // After a cut there may be no more voice.
    const voiceEnd = Math.min(endFrame, endpointer.voiceEnd);
    return voiceEnd - start < LEAST_VOICE_FRAMES ? undefined : { startFrame: start, endFrame, cut };
  }

  function end(endFrame: number, next: number | undefined, cut = false): void {
    const span = spanTo(endFrame, cut);
    start = next;
    if (!span) return;
    lastEnd = endFrame;
    onSpan(span);
  }

  const audio = (from: number, to: number) =>
    recent.last(now - from).subarray(0, to < now ? to - now : undefined);

  function turn(edge: SpeechEdge | undefined): void {
    // After a short pause, the pre-roll reaches into the last post-roll.
    if (edge?.type === 'start') start = Math.max(lastEnd, edge.frame);
    if (edge?.type === 'end') end(Math.min(now, edge.frame + POST_ROLL_FRAMES), undefined);
  }

  function take(window: Int16Array): void {
    recent.push(window);
    now += window.length;
    turn(endpointer.process(window));
    if (start !== undefined && now - start >= maxFrames) {
      const cutFrame = start + quietestFrame(audio(start, now));
      end(cutFrame, cutFrame, true);
    } else if (now - endpointer.voiceEnd === POST_ROLL_FRAMES) {
      const paused = spanTo(now);
      if (paused) onPause?.(paused);
    }
    // Audio is dropped only after the utterance in it has ended.
    recent.keep(KEPT_FRAMES + (start === undefined ? 0 : now - start));
  }

  return {
    get now() {
      return now;
    },
    get startFrame() {
      return start;
    },
    write: samples => windows.push(samples, take),
    // Part of a window stays for the next one.
    flush: () => turn(endpointer.end()),
    finish() {
      const rest = windows.rest();
      recent.push(rest);
      now += rest.length;
      end(now, undefined);
    },
    audio,
    [Symbol.dispose]: () => detector[Symbol.dispose](),
  };
}
