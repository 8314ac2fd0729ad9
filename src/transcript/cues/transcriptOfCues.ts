import type { Monologue, Transcript, TranscriptElement } from '../model/model.ts';
import { elementsOfTokens, type Token, tokensOf } from '../text/tokens.ts';
import type { Cue } from './cue.ts';

/** Consecutive words of one speaker. */
interface Turn {
  readonly speaker: number;
  readonly label?: string;
  readonly tokens: Token[];
}

/**
 * Converts cues to a transcript; the words of a cue share its time, by length.
 *
 * Speakers come from the cues: `Speaker 2` gets the number 2, names get the free numbers in order. Where cues do not name their
 * speaker, `>>` and `>>>` mark a change of speaker without saying which, so turns alternate between 0 and 1.
 *
 * @example
 * import { readSrt, transcriptOfCues } from 'rxscribe';
 *
 * transcriptOfCues(readSrt('1\n00:00:01,000 --> 00:00:02,000\nGood morning.\n'));
 */
export function transcriptOfCues(cues: readonly Cue[]): Transcript {
  const labels = cues.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker]));
  const numbers = speakerNumbers(labels);
  const turns: Turn[] = [];
  for (const cue of cues) {
    for (const { token, marked } of tokensOfCue(cue)) {
      const last = turns.at(-1);
      const speaker = numbers.get(cue.speaker ?? '') ?? unnamed(last, marked);
      if (!last || last.speaker !== speaker) turns.push({ speaker, label: cue.speaker, tokens: [token] });
      else last.tokens.push(token);
    }
  }
  return { monologues: turns.map(monologueOf) };
}

function unnamed(last: Turn | undefined, marked: boolean): number {
  if (!last) return 0;
  return marked ? 1 - Math.min(last.speaker, 1) : last.speaker;
}

const numberOf = (label: string | undefined) => /^Speaker (\d{1,9})$/.exec(label ?? '')?.[1];

/** Returns the name that a label gives to a speaker, for a monologue; nothing for `Speaker 2`. */
export function namedSpeaker(speaker: number, label: string | undefined): Pick<Monologue, 'speakerInfo'> {
  const isName = label !== undefined && numberOf(label) === undefined;
  return isName ? { speakerInfo: { id: String(speaker), displayName: label } } : {};
}

/** Returns the number of each speaker: `Speaker 2` is 2, names get the free numbers in order. */
export function speakerNumbers(labels: Iterable<string>): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const label of labels) {
    if (numberOf(label)) numbers.set(label, Number(numberOf(label)));
  }
  const taken = new Set(numbers.values());
  let free = 0;
  for (const label of labels) {
    if (numbers.has(label)) continue;
    while (taken.has(free)) free++;
    numbers.set(label, free++);
  }
  return numbers;
}

/** Returns the words of a cue with their times. A mark or name of a speaker is removed; a mark is noted at the word after it. */
function tokensOfCue({
  ts,
  endTs,
  lines,
  speaker,
}: Cue): readonly { readonly token: Token; readonly marked: boolean }[] {
  const joined = lines.join(' ');
  const named = speaker !== undefined && joined.startsWith(`${speaker}: `) ? speaker.length + 2 : 0;
  const text = joined.slice(named).replace(/(^|\s)(>{2,3})\s*(?=\S)/gu, '$1$2');
  return tokensOf([{ type: 'text', value: text, ts, endTs }]).map(token => ({
    token: { ...token, text: token.text.replace(/^>{2,3}/u, '') },
    marked: /^>{2,3}/u.test(token.text),
  }));
}

function monologueOf({ speaker, label, tokens }: Turn): Monologue {
  const elements: readonly TranscriptElement[] = elementsOfTokens(tokens);
  return {
    speaker,
    ...namedSpeaker(speaker, label),
    elements,
  };
}
