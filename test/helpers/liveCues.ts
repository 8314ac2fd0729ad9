import type { CaptionStep, LiveCue } from '../../src/captions/captionStep.ts';

/** A caption that was spoken at a time, in milliseconds since 1970-01-01 UTC. */
export function spokenCue(text: string, spokenAtMs: number): LiveCue {
  return { ts: 0, endTs: 2, lines: text.split('\n'), spokenAtMs };
}

/** A step with one caption. */
export function cueStep(text: string, spokenAtMs: number): CaptionStep {
  return { type: 'cues', cues: [spokenCue(text, spokenAtMs)] };
}
