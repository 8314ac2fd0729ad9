import { EditorState, type Extension, type Transaction } from '@codemirror/state';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { changedLines } from './speakers.ts';

/** Characters that the server does not take. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Characters of a pasted line, beyond which it is cut at a space. */
const PASTED_LENGTH = 2000;

/**
 * Refuses changes that would exceed the server's limits of turns.
 *
 * @param onRefused called with the reason as a sentence
 */
export function limitTurns(onRefused: (sentence: string) => void): Extension {
  return EditorState.transactionFilter.of(transaction => {
    const problem = transaction.docChanged ? problemOf(transaction) : undefined;
    if (problem !== undefined) onRefused(`Not taken: ${problem}`);
    return problem === undefined ? transaction : [];
  });
}

function problemOf(transaction: Transaction): string | undefined {
  const { changes, startState, newDoc } = transaction;
  const { turns, turnLength } = DESK_LIMITS;
  if (transaction.isUserEvent('input.replace') && newDoc.lines !== startState.doc.lines) {
    return 'a replacement may not split or join turns.';
  }
  if (newDoc.lines > turns) {
    return `a text may have ${counted(turns)} lines, and this one would have ${counted(newDoc.lines)}.`;
  }
  for (const { after } of changedLines(changes, startState.doc, newDoc)) {
    for (let line = after[0]; line <= after[1]; line++) {
      const { text } = newDoc.line(line);
      if (text.length > turnLength) return `a line may have ${counted(turnLength)} characters.`;
      if (REFUSED.test(text)) return 'it has characters that cannot be stored.';
    }
  }
  return undefined;
}

const counted = (count: number) => count.toLocaleString('en');

/** Returns pasted text with a line for each paragraph, and long lines cut. */
export function cleanPasted(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?:\r\n?|[\n\v\f\u0085\u2028\u2029])+/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .split('\n')
    .flatMap(line => cut(line))
    .join('\n');
}

function cut(line: string): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > PASTED_LENGTH) {
    const space = rest.lastIndexOf(' ', PASTED_LENGTH);
    const end = space > 0 ? space : PASTED_LENGTH;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
}
