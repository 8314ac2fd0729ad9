import { type Monologue, spanOf, type TextElement, type Transcript } from '../model/model.ts';
import { elementsOfText, tokensOf } from '../text/tokens.ts';
import { clockTime } from './timestamp.ts';

export interface PlainTextOptions {
  /** How the start of a turn is written; in `mm:ss` minutes go on counting after an hour. Default `hh:mm:ss`. */
  readonly times?: 'hh:mm:ss' | 'mm:ss';
  /** Between speaker, time and text. Default four spaces. */
  readonly gap?: string;
  /** One block under the first speaker and time. Default false: a line for each turn. */
  readonly skipDiarization?: boolean;
}

/**
 * A transcript as text, one line a turn; turns without text are left out.
 *
 * @example
 * writePlainText(transcript) // 'Speaker 0    00:00:00    Hello there.\n'
 */
export function writePlainText(transcript: Transcript, options: PlainTextOptions = {}): string {
  const { times = 'hh:mm:ss', gap = '    ', skipDiarization = false } = options;
  const turns = skipDiarization ? oneTurn(turnsOf(transcript)) : turnsOf(transcript);
  return turns
    .map(({ speaker, ts, text }) => `Speaker ${speaker}${gap}${clockTime(ts, times)}${gap}${text}\n`)
    .join('');
}

interface Turn {
  readonly speaker: number;
  readonly ts: number;
  readonly text: string;
}

/** A turn without times takes the time of the turn before. */
function turnsOf({ monologues }: Transcript): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { speaker, elements } of monologues) {
    const text = tokensOf(elements)
      .map(token => token.text)
      .join(' ');
    const ts = spanOf(elements)?.ts ?? turns.at(-1)?.ts ?? 0;
    if (text !== '') turns.push({ speaker, ts, text });
  }
  return turns;
}

function oneTurn(turns: readonly Turn[]): readonly Turn[] {
  const [first] = turns;
  return first ? [{ ...first, text: turns.map(turn => turn.text).join(' ') }] : [];
}

const TURN =
  /^Speaker (?<speaker>\d{1,9})\s+(?:(?<hours>\d{1,6}):)?(?<minutes>\d{1,6}):(?<seconds>\d{2})(?:\s+(?<text>.*))?$/u;

/**
 * Reads what {@link writePlainText} writes. The first word of each turn has the turn's time, the others have none.
 *
 * Lines of another form go on the turn before; text before any turn is speaker 0's, without times.
 */
export function readPlainText(text: string): Transcript {
  const monologues: { speaker: number; ts?: number; text: string }[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/)) {
    const turn = TURN.exec(line)?.groups;
    if (turn) {
      const { speaker, hours = 0, minutes, seconds, text = '' } = turn;
      const ts = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      monologues.push({ speaker: Number(speaker), ts, text });
    } else if (line.trim() !== '') {
      const open = monologues.at(-1) ?? { speaker: 0, text: '' };
      if (monologues.length === 0) monologues.push(open);
      open.text += ` ${line}`;
    }
  }
  return { monologues: monologues.map(monologueOf).filter(({ elements }) => elements.length > 0) };
}

function monologueOf({ speaker, ts, text }: { speaker: number; ts?: number; text: string }): Monologue {
  const elements = elementsOfText(text);
  const first = elements.findIndex(element => element.type === 'text');
  if (ts === undefined || first < 0) return { speaker, elements };
  return { speaker, elements: elements.with(first, { ...(elements[first] as TextElement), ts }) };
}
