import { numberWords, ordinalWords } from '../../src/engines/phrases/numberWords.ts';

/** A word of a written text as a recogniser gives it, and how it was written. */
export interface MarkedWord {
  /** Lower case. */
  readonly value: string;
  /** With its capitals. */
  readonly written: string;
  /** Behind it. Semicolons, colons and dashes count as commas. */
  readonly mark: '' | ',' | '.' | '?' | '!';
}

/** Their full stop ends no sentence. */
const ABBREVIATIONS = /^(?:mr|mrs|ms|dr|st|messrs|esq|jr|sr|no|vol|col|capt|gen|rev|hon|[a-z])$/i;
/** Speech of the words. */
const SAID: Readonly<Record<string, string>> = { mr: 'mister', mrs: 'missus', dr: 'doctor', '&': 'and' };

/** The words of a paragraph as they are said, with their marks. */
export function markedWords(paragraph: string): readonly MarkedWord[] {
  const words: MarkedWord[] = [];
  const text = paragraph
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/--+|—|–|\s-\s/g, ' , ');
  // Words with what stands behind them, brackets and quotation marks among it.
  for (const [, token = '', behind = ''] of text.matchAll(
    /([\p{L}\d$][\p{L}\d'$,.%-]*(?<![,.'-])|&)([^\p{L}\d$&]*)/gu,
  )) {
    const isAbbreviation = ABBREVIATIONS.test(token) && behind.startsWith('.');
    const mark = markOf(isAbbreviation ? behind.slice(1) : behind);
    const said = saidAs(token);
    for (const [index, written] of said.entries()) {
      words.push({ value: written.toLowerCase(), written, mark: index === said.length - 1 ? mark : '' });
    }
  }
  const last = words.pop();
  return last ? [...words, { ...last, mark: last.mark === '?' || last.mark === '!' ? last.mark : '.' }] : [];
}

function markOf(behind: string): MarkedWord['mark'] {
  const [mark] = /[?!]|\.(?!\.)/.exec(behind) ?? /[,;:]/.exec(behind) ?? [''];
  return mark === ';' || mark === ':' ? ',' : (mark as MarkedWord['mark']);
}

function saidAs(token: string): readonly string[] {
  const said = SAID[token.toLowerCase()];
  if (said) return [/^\p{Lu}/u.test(token) ? said.replace(/^./, letter => letter.toUpperCase()) : said];
  const amount = /^\$([\d,]+)$/.exec(token);
  if (amount) return [...numberWords(amount[1]!.replaceAll(',', '')), 'dollars'];
  return token.split('-').flatMap(part => {
    const [, digits, end] = /^([\d,]+)(st|nd|rd|th|%)?$/.exec(part) ?? [];
    if (digits === undefined) return part.replaceAll(/[^\p{L}\d']/gu, '') || [];
    const plain = digits.replaceAll(',', '');
    if (end === '%') return [...numberWords(plain), 'percent'];
    return end ? ordinalWords(plain) : numberWords(plain);
  });
}
