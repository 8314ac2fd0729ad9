import fc from 'fast-check';
import type {
  FinalEvent,
  HoleEvent,
  LiveEvent,
  PartialEvent,
  RepairEvent,
  SilenceEvent,
  TranscriptEvent,
} from '../../src/transcript/model/events.ts';
import type { TextElement, TranscriptElement } from '../../src/transcript/model/model.ts';

/** The words of a text, spread evenly over a span of seconds. */
function spread(text: string, ts: number, endTs: number): TextElement[] {
  const words = text.split(' ').filter(word => word !== '');
  const share = (endTs - ts) / words.length;
  return words.map((value, index) => ({
    type: 'text',
    value,
    ts: ts + index * share,
    endTs: ts + (index + 1) * share,
  }));
}

/** A partial whose words are spread evenly over its span. */
export function partial(text: string, ts: number, endTs: number): PartialEvent {
  return { type: 'partial', ts, endTs, elements: spread(text, ts, endTs) };
}

/** A final whose words are spread evenly over its span; marks at the end of words become `punct` elements. */
export function final(text: string, ts: number, endTs: number, speaker?: number): FinalEvent {
  const elements = spread(text, ts, endTs).flatMap<TranscriptElement>((word, index) => {
    const [, value = '', mark = ''] = /^(.*?)([.,?!]*)$/.exec(word.value) ?? [];
    return [
      ...(index > 0 ? [{ type: 'punct', value: ' ' } as const] : []),
      { ...word, value },
      ...(mark === '' ? [] : [{ type: 'punct', value: mark } as const]),
    ];
  });
  return { type: 'final', ts, endTs, elements, ...(speaker !== undefined && { speaker }) };
}

export function silence(ts: number, endTs: number): SilenceEvent {
  return { type: 'silence', ts, endTs };
}

export function hole(ts: number, endTs: number, cause: HoleEvent['cause'] = 'dropped'): HoleEvent {
  return { type: 'hole', ts, endTs, cause };
}

/** A repair of a hole by the finals that a job would have given. */
export function repair({ ts, endTs }: HoleEvent, ...heard: readonly FinalEvent[]): RepairEvent {
  const monologues = heard.map(({ speaker = 0, elements }) => ({ speaker, elements }));
  return { type: 'repair', ts, endTs, monologues, jobId: 'job1' };
}

const text = fc
  .array(fc.constantFrom('a', 'b', 'see', 'dog', 'dogs', 'Well,', 'yes.', 'no'), { maxLength: 6 })
  .map(words => words.join(' '));
const ts = fc.integer({ min: 0, max: 40 }).map(quarter => quarter / 4);
const span = fc.tuple(ts, fc.integer({ min: 1, max: 16 })).map(([from, length]) => [from, from + length / 4]);

const finalEvent: fc.Arbitrary<FinalEvent> = fc
  .tuple(text, span, fc.constantFrom(undefined, 0, 1), fc.boolean())
  .map(([words, [from, to], speaker, times]) => {
    const event = final(words, from!, to!, speaker);
    return times ? event : { ...event, elements: event.elements.map(withoutTimes) };
  });

const transcriptEvent: fc.Arbitrary<TranscriptEvent> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('s1', 's2').map(id => ({ type: 'connected', id }) as const) },
  { weight: 4, arbitrary: fc.tuple(text, span).map(([words, [from, to]]) => partial(words, from!, to!)) },
  { weight: 4, arbitrary: finalEvent },
);

const holeEvent = fc
  .tuple(span, fc.constantFrom('dropped' as const, 'gave-up' as const, 'no-final' as const))
  .map(([[from, to], cause]) => hole(from!, to!, cause));

/** Other words than those of finals, always with times. */
const repairEvent = fc
  .tuple(holeEvent, span, fc.constantFrom('job', 'job heard'), fc.nat({ max: 2 }))
  .map(([event, [from, to], words, speaker]) => repair(event, final(words, from!, to!, speaker)));

const liveEvent: fc.Arbitrary<LiveEvent> = fc.oneof(
  { weight: 4, arbitrary: transcriptEvent },
  { weight: 1, arbitrary: span.map(([from, to]) => silence(from!, to!)) },
  { weight: 1, arbitrary: holeEvent },
  { weight: 1, arbitrary: repairEvent },
);

/** Some of the events come again later. */
const repeated = <T>(events: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc
    .array(events, { maxLength: 16 })
    .chain(all =>
      fc.array(fc.nat({ max: 15 })).map(again => [...all, ...again.flatMap(index => all[index] ?? [])]),
    );

/** Events of a session of any kind, in any order, overlapping and repeated. */
export const eventSequence: fc.Arbitrary<TranscriptEvent[]> = repeated(transcriptEvent);

/** Live events of any kind and channel, in any order, overlapping and repeated. */
export const liveEventSequence: fc.Arbitrary<LiveEvent[]> = repeated(
  fc
    .tuple(liveEvent, fc.constantFrom(undefined, 1))
    .map(([event, channel]) => (event.type === 'connected' || !channel ? event : { ...event, channel })),
);

function withoutTimes(element: TranscriptElement): TranscriptElement {
  return element.type === 'text' ? { type: 'text', value: element.value } : element;
}
