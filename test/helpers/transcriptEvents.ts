import fc from 'fast-check';
import type { FinalEvent, PartialEvent, TranscriptEvent } from '../../src/transcript/events.ts';
import type { TextElement, TranscriptElement } from '../../src/transcript/model.ts';

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

/** Events of any kind, in any order, overlapping and repeated. */
export const eventSequence: fc.Arbitrary<TranscriptEvent[]> = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom('s1', 's2').map(id => ({ type: 'connected', id }) as const) },
      { weight: 4, arbitrary: fc.tuple(text, span).map(([words, [from, to]]) => partial(words, from!, to!)) },
      { weight: 4, arbitrary: finalEvent },
    ),
    { maxLength: 16 },
  )
  .chain(events =>
    fc.array(fc.nat({ max: 15 })).map(again => [...events, ...again.flatMap(index => events[index] ?? [])]),
  );

function withoutTimes(element: TranscriptElement): TranscriptElement {
  return element.type === 'text' ? { type: 'text', value: element.value } : element;
}
