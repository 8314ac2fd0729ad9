import { type TextElement, type TranscriptElement, writtenElement } from '../model/model.ts';

/** Text between two spaces: a word with the punctuation around it. Times are in seconds, where known. */
export interface Token {
  readonly text: string;
  readonly ts?: number;
  readonly endTs?: number;
}

/**
 * Cuts the text of elements at its spaces; joined by single spaces, the tokens give the result of `textOf`.
 *
 * Control characters count as spaces, so that tokens are safe to print.
 */
export function tokensOf(elements: readonly TranscriptElement[]): readonly Token[] {
  const tokens: Token[] = [];
  let open: Token | undefined;
  let previous: TranscriptElement | undefined;
  const close = () => {
    if (open && open.text !== '') tokens.push(open);
    open = undefined;
  };
  for (const element of elements) {
    if (previous && previous.type !== 'punct' && element.type !== 'punct') close();
    const pieces = piecesOf(element);
    pieces.forEach((piece, index) => {
      if (index > 0) close();
      open = joined(open, piece);
    });
    previous = element;
  }
  close();
  return tokens;
}

/** Cuts an element at the spaces in its value; an outer piece is empty where the value begins or ends with a space. */
function piecesOf(element: TranscriptElement): readonly Token[] {
  const texts = writtenElement(element)
    .replace(/\p{Cc}/gu, ' ')
    .split(/\s+/u);
  const { ts, endTs } = element.type === 'punct' ? ({} as Partial<TextElement>) : element;
  if (ts === undefined || endTs === undefined || texts.length === 1) {
    return texts.map((text, index) => (index === 0 ? { text, ts, endTs } : { text }));
  }
  const seconds = (endTs - ts) / texts.join('').length;
  let from = ts;
  return texts.map(text => {
    if (text === '') return { text };
    const token = { text, ts: from, endTs: from + text.length * seconds };
    from = token.endTs;
    return token;
  });
}

function joined(left: Token | undefined, right: Token): Token {
  if (!left || left.text === '') return right;
  return { text: left.text + right.text, ts: left.ts ?? right.ts, endTs: right.endTs ?? left.endTs };
}

/** Characters of words, including symbols that carry meaning: %, #, &, @, $ and the like. */
const INNER = String.raw`\p{L}\p{N}\p{M}\p{S}%#&@`;
/** Matches a text without the punctuation around it. */
const WITHIN_MARKS = new RegExp(`[${INNER}](?:.*[${INNER}])?`, 'su');

/** Returns the tokens that are words; a dash or a full stop alone is not, nor is inaudible speech. */
export function wordTokensOf(elements: readonly TranscriptElement[]): readonly Token[] {
  const known = elements.filter(({ type }) => type !== 'unknown');
  return tokensOf(known).filter(({ text }) => WITHIN_MARKS.test(text));
}

/** Returns the normalised form of a word: lower case, without the punctuation around it. */
export function wordKey(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('\u2019', "'");
  return WITHIN_MARKS.exec(plain)?.[0] ?? plain;
}

/** Returns the length of the common prefix of two lists. */
export function commonPrefixLength(left: readonly string[], right: readonly string[]): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/** Converts tokens to elements: words, punctuation, and spaces. `[inaudible]`, `<inaudible>` and the like become `unknown`. */
export function elementsOfTokens(tokens: readonly Token[]): readonly TranscriptElement[] {
  return tokens.flatMap((token, index) => [...(index > 0 ? [SPACE] : []), ...elementsOfToken(token)]);
}

/**
 * Converts text to elements without times.
 *
 * @example
 * elementsOfText('Well, yes.') // text Well, punct ',', punct ' ', text yes, punct '.'
 */
export function elementsOfText(text: string): readonly TranscriptElement[] {
  return elementsOfTokens(tokensOf([{ type: 'unknown', value: text }]));
}

function elementsOfToken({ text, ts, endTs }: Token): readonly TranscriptElement[] {
  const unknown = /^<([^<>]+)>$|^\[(inaudible)\]$/u.exec(text);
  if (unknown) return [{ type: 'unknown', value: `<${unknown[1] ?? unknown[2]}>` }];
  const match = WITHIN_MARKS.exec(text);
  if (!match) return punct(text);
  const [word] = match;
  return [
    ...punct(text.slice(0, match.index)),
    { type: 'text', value: word, ts, endTs },
    ...punct(text.slice(match.index + word.length)),
  ];
}

const punct = (value: string): readonly TranscriptElement[] =>
  value === '' ? [] : [{ type: 'punct', value }];

/**
 * Returns the words of a text in lower case, without punctuation; apostrophes within a word stay.
 *
 * @example
 * import { wordsOf } from 'rxscribe/replay';
 *
 * wordsOf("Don't stop, Ada!"); // ["don't", 'stop', 'ada']
 */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('\u2019', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []
  );
}
