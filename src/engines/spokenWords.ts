import { CURRENCIES } from './phrases/numberWords.ts';
import { readPhrase } from './phrases/readPhrase.ts';
import { plainWord } from './sherpa/tokens/tokenWords.ts';
import { dividedSpan, type FrameSpan } from './timedWords.ts';

/** A word as it is written, such as `$20,`. */
export interface WrittenSpan extends FrameSpan {
  readonly text: string;
}

/** A word as it is spoken, with `written` as in a `RecognizedWord`. */
export interface SpokenSpan extends FrameSpan {
  readonly value: string;
  readonly written: string;
}

/** Splits a written word into spoken ones, with digits as words. They share its time by length. */
export function spokenWords(
  { text, startFrame, endFrame }: WrittenSpan,
  language = 'en',
): readonly SpokenSpan[] {
  const values = language === 'en' ? spokenValues(text) : plainValues(text);
  const spans = dividedSpan(
    { startFrame, endFrame },
    values.map(({ length }) => length),
  );
  return spans.map((span, index) => ({
    value: values[index] ?? '',
    written: index === 0 ? text : '',
    ...span,
  }));
}

function spokenValues(text: string): readonly string[] {
  const plain = plainWord(text);
  const currency = CURRENCIES[plain.charAt(0)];
  if (currency) {
    const sum = spokenValues(plain.slice(1));
    return [...sum, sum.join() === 'one' ? currency.one : currency.many];
  }
  if (/[\d&%]/.test(plain)) {
    const read = readPhrase(plain);
    if ('tokens' in read) return read.tokens.flatMap(({ words }) => words.map(({ value }) => value));
  }
  return plainValues(text);
}

function plainValues(text: string): readonly string[] {
  const plain = plainWord(text);
  return plain === '' ? [] : [plain];
}
