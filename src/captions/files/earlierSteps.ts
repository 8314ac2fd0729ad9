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
  const words = monologues.flatMap(({ speaker, speakerInfo, elements }, index) => {
    const isTurn = speaker !== monologues[index - 1]?.speaker && monologues.length > 1;
    const turn = { speaker: speakerInfo?.displayName, opensTurn: isTurn };
    return tokensOf(elements).map(({ text }, at) => ({ text, ...(at === 0 && turn) }));
  });
  const added = words.map((word, id) => ({ ...word, id }));
  const wording = new Map(added.map(({ id, text }) => [id, text]));
  return words.length === 0 ? [] : [{ type: 'words', added, tail: [], wording }, { type: 'clear' }];
}
