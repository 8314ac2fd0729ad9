import type { Transcript } from '../../transcript/model/model.ts';
import { tokensOf } from '../../transcript/text/tokens.ts';
import type { CaptionStep } from '../captionStep.ts';

/**
 * Returns the steps that show the text of an earlier run as history, such as that of continued files.
 *
 * @example
 * for (const step of earlierSteps(output.earlier)) page.take(step);
 */
export function earlierSteps({ monologues }: Transcript): readonly CaptionStep[] {
  const words = monologues.flatMap(({ speaker, speakerInfo, elements }, index) =>
    tokensOf(elements).map(({ text }, at) => ({
      text,
      speaker: speakerInfo?.displayName,
      opensTurn: at === 0 && speaker !== monologues[index - 1]?.speaker && monologues.length > 1,
    })),
  );
  if (words.length === 0) return [];
  const added = words.map((word, id) => ({ ...word, id }));
  const wording = new Map(added.map(({ id, text }) => [id, text]));
  return [{ type: 'words', added, tail: [], wording }, { type: 'clear' }];
}
