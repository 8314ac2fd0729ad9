import type { TextElement, TranscriptElement } from '../model/model.ts';

/** A piece of text that stands between spaces: a word with the marks around it. Times in seconds, where known. */
export interface Token {
  readonly text: string;
  readonly ts?: number;
  readonly endTs?: number;
}

/**
 * The text of elements cut at its spaces; joined by single spaces it reads as `textOf` does.
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

/** An element cut at the spaces in its value; the outer pieces are empty where it begins or ends with one. */
function piecesOf(element: TranscriptElement): readonly Token[] {
  const texts = element.value.replace(/\p{Cc}/gu, ' ').split(/\s+/u);
  const { ts, endTs } = element.type === 'text' ? element : ({} as Partial<TextElement>);
  if (ts === undefined || endTs === undefined || texts.length === 1) {
    return texts.map((text, index) => (index === 0 ? timed(text, ts, endTs) : { text }));
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
  return timed(left.text + right.text, left.ts ?? right.ts, right.endTs ?? left.endTs);
}

function timed(text: string, ts: number | undefined, endTs: number | undefined): Token {
  return { text, ...(ts !== undefined && { ts }), ...(endTs !== undefined && { endTs }) };
}

/** Characters of words; of marks only those that carry meaning: %, #, &, @ and symbols such as $. */
const INNER = String.raw`\p{L}\p{N}\p{M}\p{S}%#&@`;
/** From the first of them to the last: what a text has apart from the marks around it. */
const WITHIN_MARKS = new RegExp(`[${INNER}](?:.*[${INNER}])?`, 'su');

/** The tokens of elements that are words: a dash or a full stop that stands alone is none. */
export function wordTokensOf(elements: readonly TranscriptElement[]): readonly Token[] {
  return tokensOf(elements).filter(({ text }) => WITHIN_MARKS.test(text));
}

/** What two spellings of one word share: lower case, without the marks around it. */
export function wordKey(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('\u2019', "'");
  return WITHIN_MARKS.exec(plain)?.[0] ?? plain;
}

/** How many words two lists begin with in common. */
export function commonPrefixLength(left: readonly string[], right: readonly string[]): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/** Tokens as elements: words, the marks around them, and spaces between. `<inaudible>` and the like become `unknown`. */
export function elementsOfTokens(tokens: readonly Token[]): readonly TranscriptElement[] {
  return tokens.flatMap((token, index) => [...(index > 0 ? [SPACE] : []), ...elementsOfToken(token)]);
}

/**
 * Text as elements without times.
 *
 * @example
 * elementsOfText('Well, yes.') // text Well, punct ',', punct ' ', text yes, punct '.'
 */
export function elementsOfText(text: string): readonly TranscriptElement[] {
  return elementsOfTokens(tokensOf([{ type: 'unknown', value: text }]));
}

function elementsOfToken({ text, ts, endTs }: Token): readonly TranscriptElement[] {
  if (/^<[^<>]+>$/.test(text)) return [{ type: 'unknown', value: text }];
  const match = WITHIN_MARKS.exec(text);
  if (!match) return punct(text);
  const [word] = match;
  return [
    ...punct(text.slice(0, match.index)),
    { type: 'text', value: word, ...(ts !== undefined && { ts }), ...(endTs !== undefined && { endTs }) },
    ...punct(text.slice(match.index + word.length)),
  ];
}

const punct = (value: string): readonly TranscriptElement[] =>
  value === '' ? [] : [{ type: 'punct', value }];

/** The words of a text: lower case, without punctuation; apostrophes inside a word stay. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('\u2019', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []
  );
}
