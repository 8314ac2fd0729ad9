import { nameOf } from '../../transcript/merge/withNames.ts';
import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import type { StabilizerOptions } from './agreement.ts';
import type { ShownWord, Turn } from './captionWord.ts';

/** Speaker of the last final, and channel of the last shown word. */
interface LastTurn {
  readonly speaker?: number;
  readonly channel?: number;
}

interface Source {
  readonly channel: number;
  readonly speaker?: number;
}

/** Returns the turn that the next word opens if channels have names and another channel was shown last. */
export function channelTurnOf(
  state: LastTurn,
  source: Source,
  { names }: StabilizerOptions,
): Turn | undefined {
  if (!names?.channels || state.channel === source.channel) return undefined;
  const speaker = nameOf(names, source);
  // The first words have a mark only if their speaker has a name.
  if (state.channel === undefined && speaker === undefined) return undefined;
  return { opensTurn: true, speaker };
}

/** Returns the turn that a final opens because its speaker differs; the first speaker opens one only with a name. */
export function speakerTurnOf(
  state: LastTurn,
  source: Source,
  { names = {} }: StabilizerOptions,
): Turn | undefined {
  if (source.speaker === undefined || source.speaker === state.speaker) return undefined;
  const isNamed = names.speakers?.[source.speaker] !== undefined;
  if (state.speaker === undefined && !isNamed) return undefined;
  const speaker = nameOf(names, source);
  return { opensTurn: true, speaker };
}

/** Returns the paragraph that the first word of an utterance opens. */
export function paragraphOf(
  { opensParagraph }: PartialEvent | FinalEvent,
  shown: readonly ShownWord[],
): Turn | undefined {
  return opensParagraph && shown.length === 0 ? { opensParagraph } : undefined;
}
