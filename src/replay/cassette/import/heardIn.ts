import { MIN_FINAL_SECONDS } from '../../../protocol/messages.ts';
import type { FinalEvent, PartialEvent } from '../../../transcript/model/events.ts';
import type { TextElement } from '../../../transcript/model/model.ts';

/** A result of another service. */
export interface Heard {
  readonly event: PartialEvent | FinalEvent;
  /** Number of the turn, of which only the last final counts. */
  readonly turn?: unknown;
}

/** A format of another service. Paths are names separated by points; `*` stands for the items of a list. */
interface Format {
  readonly service: string;
  /** Fields by which a value of this format is recognised. */
  readonly has: readonly string[];
  /** Path of the words, or of phrases whose words have no times. Default: the value is a phrase. */
  readonly words?: string;
  /** Paths within a word; the first text counts. */
  readonly text: readonly string[];
  readonly start: string;
  readonly end: string;
  /** True if `end` is a duration. */
  readonly isDuration?: boolean;
  readonly perSecond: number;
  /** Path and value that mark a final. Default: every value is a final. */
  readonly final?: readonly [path: string, value: unknown];
  readonly turn?: string;
}

const DEEPGRAM = {
  service: 'Deepgram',
  text: ['punctuated_word', 'word'],
  start: 'start',
  end: 'end',
  perSecond: 1,
};
const ASSEMBLY = { service: 'AssemblyAI', text: ['text'], start: 'start', end: 'end', perSecond: 1000 };
const AZURE = { service: 'Azure', start: 'Offset', end: 'Duration', isDuration: true, perSecond: 1e7 };
const PHRASES = { ...AZURE, start: 'offsetInTicks', end: 'durationInTicks', text: ['nBest.0.display'] };
const AZURE_TEXT = ['NBest.0.Display', 'NBest.0.DisplayText', 'DisplayText'];

/**
 * The formats, by their documentation: https://developers.deepgram.com/reference,
 * https://www.assemblyai.com/docs/streaming/message-sequence (a formatted turn ends twice), and
 * https://learn.microsoft.com/azure/ai-services/speech-service/batch-transcription-get. The first alternative is the best.
 */
const FORMATS: readonly Format[] = [
  { ...DEEPGRAM, has: ['results', 'metadata'], words: 'results.channels.*.alternatives.0.words.*' },
  { ...DEEPGRAM, has: ['is_final'], words: 'channel.alternatives.0.words.*', final: ['is_final', true] },
  { ...ASSEMBLY, has: ['status', 'text', 'words'], words: 'words.*' },
  { ...ASSEMBLY, has: ['turn_order'], words: 'words.*', final: ['end_of_turn', true], turn: 'turn_order' },
  { ...ASSEMBLY, has: ['audio_start'], words: 'words.*', final: ['message_type', 'FinalTranscript'] },
  { ...PHRASES, has: ['recognizedPhrases'], words: 'recognizedPhrases.*' },
  { ...AZURE, has: ['RecognitionStatus', 'Offset'], text: AZURE_TEXT },
  { ...AZURE, has: ['Text', 'Offset'], text: ['Text'], final: ['RecognitionStatus', 'Success'] },
];

/** A word, or a phrase. */
type HeardWord = Required<Omit<TextElement, 'confidence'>>;

type Fail = (fault: string) => never;

/**
 * Returns the finals and partials in a result or a message of another service: Deepgram, AssemblyAI or Azure, recognised by
 * its fields. Undefined for any other value.
 *
 * @param fail is called with the fault of a value of a known format that lacks something
 */
export function heardIn(json: unknown, fail: Fail): readonly Heard[] | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const format = FORMATS.find(({ has }) => has.every(field => Object.hasOwn(json, field)));
  if (!format) return undefined;
  const { service, words: path, final, turn } = format;
  const wrong: Fail = missing => fail(`expected a result of ${service}, found no ${missing}`);
  const words = valuesAt(json, path?.split('.') ?? [], () => wrong(`list in '${path}'`))
    .map(word => wordOf(word, format, wrong))
    .filter(({ value }) => value !== '');
  if (words.length === 0) return [];
  if (final && valueAt(json, final[0]) !== final[1]) return [{ event: partialOf(words) }];
  const phrases = turn === undefined ? phrasesOf(words) : [words];
  const finals = phrases.map(finalOf).toSorted((one, other) => one.ts - other.ts);
  return finals.map(event => ({ event, turn: turn && valueAt(json, turn) }));
}

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((of, name) => (of as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);

function valuesAt(value: unknown, path: readonly string[], wrong: () => never): readonly unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (name !== '*') return valuesAt(valueAt(value, name), rest, wrong);
  return Array.isArray(value) ? value.flatMap(item => valuesAt(item, rest, wrong)) : wrong();
}

function wordOf(word: unknown, { text, start, end, isDuration, perSecond }: Format, wrong: Fail): HeardWord {
  const timeAt = (path: string) => {
    const time = valueAt(word, path);
    const isTime = typeof time === 'number' && time >= 0 && time <= 1e15;
    return isTime ? time / perSecond : wrong(`time '${path}' from 0 on`);
  };
  const value = text.map(path => valueAt(word, path)).find(found => typeof found === 'string') ?? '';
  const [ts, endTs] = [timeAt(start), timeAt(end)];
  return { type: 'text', value: value.trim(), ts, endTs: isDuration ? ts + endTs : Math.max(ts, endTs) };
}

/** Longest pause within a final, in seconds, and its most words. */
const MAX_PAUSE = 1;
const MAX_WORDS = 200;

/** Cuts words at pauses, and where another channel begins. */
function phrasesOf(words: readonly HeardWord[]): readonly (readonly HeardWord[])[] {
  const phrases: HeardWord[][] = [];
  for (const word of words) {
    const last = phrases.at(-1) ?? [];
    const before = last.at(-1);
    const isNear = before && word.ts >= before.ts && word.ts - before.endTs <= MAX_PAUSE;
    if (isNear && last.length < MAX_WORDS) last.push(word);
    else phrases.push([word]);
  }
  return phrases;
}

function partialOf(elements: readonly HeardWord[]): PartialEvent {
  const ts = elements[0]?.ts ?? 0;
  return {
    type: 'partial',
    ts,
    endTs: elements.reduce((end, word) => Math.max(end, word.endTs), ts),
    elements,
  };
}

function finalOf(words: readonly HeardWord[]): FinalEvent {
  const { ts, endTs, elements } = partialOf(words);
  return { type: 'final', ts, endTs: Math.max(endTs, ts + MIN_FINAL_SECONDS), elements };
}
