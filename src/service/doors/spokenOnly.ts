import type { TranscriptElement } from '../../transcript/model/model.ts';

/** Returns elements without speech that could not be understood, for which other services have no sign. */
export function spokenOnly(elements: readonly TranscriptElement[]): readonly TranscriptElement[] {
  const spoken: TranscriptElement[] = [];
  for (const element of elements) {
    const isSecondSpace = isSpace(element) && (spoken.length === 0 || isSpace(spoken.at(-1)));
    if (element.type !== 'unknown' && !isSecondSpace) spoken.push(element);
  }
  return spoken;
}

const isSpace = (element: TranscriptElement | undefined) =>
  element?.type === 'punct' && element.value === ' ';
