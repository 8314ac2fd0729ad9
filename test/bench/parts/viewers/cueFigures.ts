import { CAPTION_PROFILES, type CaptionProfile } from '../../../../src/transcript/cues/captionProfile.ts';
import { cueViolations } from '../../../../src/transcript/cues/cueViolations.ts';
import { wordKey, wordTokensOf } from '../../../../src/transcript/text/tokens.ts';
import type { TimedStep } from './timedSteps.ts';
import { delaysOf, type SeenWord, type SpokenAt, stuckSeconds, type ViewerFigures } from './viewerFigures.ts';

/** Number of caption words that are compared with a word of a final: marks of speakers are in captions only. */
const LOOK_AHEAD = 4;

/** Measures the view of an output that shows finished captions at once. */
export function cueFigures(
  steps: readonly TimedStep[],
  spokenAt: SpokenAt,
  profile: CaptionProfile = CAPTION_PROFILES.netflix,
): ViewerFigures {
  const blocks = steps.flatMap(({ atMs, step }) => (step.type === 'cues' ? [{ atMs, cues: step.cues }] : []));
  const cues = blocks.flatMap(block => block.cues);
  const words = seenWords(steps, blocks, spokenAt);
  const violations = cueViolations(cues, profile);
  return {
    name: 'captions',
    finalWords: words.length,
    wrongWords: 0,
    tailWords: 0,
    movedWords: 0,
    unseenWords: words.filter(({ seenMs }) => seenMs === undefined).length,
    delays: delaysOf(words),
    violations: violations.filter(({ rule }) => rule !== 'speed').length,
    fastCaptions: violations.filter(({ rule }) => rule === 'speed').length,
    stuckSeconds: stuckSeconds(words, blocks),
  };
}

type Block = { readonly atMs: number; readonly cues: readonly { readonly lines: readonly string[] }[] };

function seenWords(
  steps: readonly TimedStep[],
  blocks: readonly Block[],
  spokenAt: SpokenAt,
): readonly SeenWord[] {
  const shown = blocks.flatMap(({ atMs, cues }) =>
    cues.flatMap(({ lines }) =>
      lines.flatMap(line => line.split(' ')).map(text => ({ atMs, key: wordKey(text) })),
    ),
  );
  let next = 0;
  return finalsOf(steps).flatMap(final =>
    wordTokensOf(final.elements).map(({ text, endTs }) => {
      const key = wordKey(text);
      const found = shown.slice(next, next + LOOK_AHEAD).findIndex(word => word.key === key);
      const spokenMs = endTs === undefined ? undefined : spokenAt(endTs);
      if (found < 0) return { spokenMs };
      next += found + 1;
      return { spokenMs, seenMs: shown[next - 1]?.atMs };
    }),
  );
}

/** Returns the finals that have words, each once. */
function finalsOf(steps: readonly TimedStep[]) {
  return [...new Set(steps.flatMap(({ step, final }) => (step.type === 'words' && final ? [final] : [])))];
}
