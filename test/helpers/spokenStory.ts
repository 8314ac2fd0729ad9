import fc from 'fast-check';
import type { LiveEvent, PartialEvent } from '../../src/transcript/model/events.ts';
import { final, hole, partial, repair, silence } from './transcriptEvents.ts';

/** Speech on some channels, with the events by which a stream reports it. */
export interface SpokenStory {
  readonly events: readonly LiveEvent[];
  /** Words of the finals, all different. */
  readonly words: readonly string[];
}

/** Events of one utterance. */
interface Utterance {
  readonly words: number;
  /** Number of words of each partial; the last word may be wrong. */
  readonly partials: readonly { readonly words: number; readonly isWrong: boolean }[];
  /** Seconds by which partials begin before their final does. */
  readonly early: number;
  /** The connection breaks, and what was heard is heard again. */
  readonly isHeardTwice: boolean;
  /** Between partials and final, in parts of the utterance. */
  readonly between?: { readonly type: 'silence' | 'hole'; readonly from: number; readonly to: number };
  readonly end: 'final' | 'cut' | 'lost';
  /** A final comes again, and a partial comes late. */
  readonly isRepeated: boolean;
  /** The final has not the last word of the partials. */
  readonly dropsLast: boolean;
  /** Seconds after it. */
  readonly pause: number;
  /** Its last partials come before the final of the utterance before it. */
  readonly overtakes: boolean;
}

const WORD_SECONDS = 0.5;

function utterance(mayBeWrong: boolean): fc.Arbitrary<Utterance> {
  return fc.integer({ min: 1, max: 6 }).chain(words =>
    fc.record(
      {
        words: fc.constant(words),
        partials: fc.array(
          fc.record({
            words: fc.integer({ min: 1, max: words }),
            isWrong: mayBeWrong ? fc.boolean() : fc.constant(false),
          }),
          { maxLength: 8 },
        ),
        early: fc.constantFrom(0, 0.1, 0.3),
        isHeardTwice: fc.boolean(),
        between: fc.record({
          type: fc.constantFrom('silence', 'hole'),
          from: fc.constantFrom(-0.4, 0, 0.3),
          to: fc.constantFrom(0.1, 0.5, 1, 1.2),
        }),
        end: fc.constantFrom('final', 'final', 'cut', 'lost'),
        isRepeated: fc.boolean(),
        dropsLast: mayBeWrong ? fc.boolean() : fc.constant(false),
        pause: fc.constantFrom(0.2, 0.5),
        overtakes: fc.boolean(),
      },
      {
        requiredKeys: [
          'words',
          'partials',
          'early',
          'isHeardTwice',
          'end',
          'isRepeated',
          'dropsLast',
          'pause',
          'overtakes',
        ],
      },
    ),
  );
}

/** Stories in which words are heard early, twice, late, cut, and not at all, on one or two channels at once. */
export function spokenStory({ mayBeWrong = true, channels = 2 } = {}): fc.Arbitrary<SpokenStory> {
  const channel = fc.array(utterance(mayBeWrong), { minLength: 1, maxLength: 4 });
  return fc
    .tuple(
      fc.array(channel, { minLength: 1, maxLength: channels }),
      fc.boolean(),
      fc.array(fc.nat({ max: 1 }), { minLength: 200, maxLength: 200 }),
    )
    .map(([utterances, hasTimes, turns]) => {
      const spoken = utterances.map((list, index) => story(list, index));
      const events = interleaved(
        spoken.map(one => one.events),
        turns,
      );
      return {
        events: hasTimes ? events : events.map(withoutTimes),
        words: spoken.flatMap(({ words }) => words),
      };
    });
}

function story(utterances: readonly Utterance[], channel: number): SpokenStory {
  const events: LiveEvent[] = [];
  const words: string[] = [];
  let ts = 1;
  for (const [index, utterance] of utterances.entries()) {
    const names = Array.from({ length: utterance.words }, (_, word) => `c${channel}u${index}w${word}`);
    const { partials, ends, isFinal } = eventsOf(utterance, names, ts);
    const last = events.at(-1);
    // The final before comes late.
    const isOvertaken = utterance.overtakes && last?.type === 'final' && partials.length > 0;
    if (isOvertaken) events.splice(-1, 1, ...partials, last);
    else events.push(...partials);
    events.push(...ends);
    if (isFinal) words.push(...finalNames(utterance, names));
    ts += utterance.words * WORD_SECONDS + utterance.pause;
  }
  const onChannel = (event: LiveEvent): LiveEvent =>
    event.type === 'connected' || channel === 0 ? event : { ...event, channel };
  return { events: events.map(onChannel), words };
}

/** The words of the final, or of the last of them. */
function finalNames({ end, dropsLast }: Utterance, names: readonly string[]): readonly string[] {
  const least = end === 'cut' ? Math.floor(names.length / 2) + 1 : 1;
  return dropsLast && names.length > least ? names.slice(0, -1) : names;
}

function eventsOf(utterance: Utterance, names: readonly string[], ts: number) {
  const { early, between, end } = utterance;
  const timeOf = (words: number) => ts + words * WORD_SECONDS;
  const endTs = timeOf(names.length);
  const text = (list: readonly string[]) => list.join(' ');
  const heard = utterance.partials.map(({ words, isWrong }, index) => {
    const list = names.slice(0, words);
    const said = isWrong ? list.with(-1, `${list.at(-1)}x${index}`) : list;
    return partial(text(said), ts - early, timeOf(words));
  });
  const partials: PartialEvent[] = utterance.isHeardTwice ? [...heard, ...heard] : heard;
  const ends: LiveEvent[] = [];
  if (between) {
    const span = [ts + between.from, ts + between.to * (endTs - ts)] as const;
    ends.push(between.type === 'hole' ? hole(...span) : silence(...span));
  }
  if (end === 'lost') {
    const gap = hole(ts - early, endTs, 'gave-up');
    return { partials, ends: [...ends, gap, repair(gap, final('job', ts, endTs))], isFinal: false };
  }
  const cut = end === 'cut' ? Math.floor(names.length / 2) : 0;
  if (cut > 0) {
    ends.push(final(text(names.slice(0, cut)), ts, timeOf(cut)));
    ends.push(partial(text(names.slice(cut)), timeOf(cut), endTs));
  }
  const kept = finalNames(utterance, names);
  const whole = final(text(kept.slice(cut)), timeOf(cut), timeOf(kept.length));
  if (utterance.isRepeated) ends.push(whole, partial(text(kept), ts, whole.endTs));
  ends.push(whole);
  return { partials, ends, isFinal: true };
}

function interleaved(lists: readonly (readonly LiveEvent[])[], turns: readonly number[]): LiveEvent[] {
  const left = lists.map(list => [...list]);
  const events: LiveEvent[] = [];
  for (let turn = 0; left.some(list => list.length > 0); turn++) {
    const open = left.filter(list => list.length > 0);
    events.push(open[(turns[turn % turns.length] ?? 0) % open.length]!.shift()!);
  }
  return events;
}

function withoutTimes(event: LiveEvent): LiveEvent {
  if (event.type !== 'partial') return event;
  return { ...event, elements: event.elements.map(({ type, value }) => ({ type, value })) };
}
