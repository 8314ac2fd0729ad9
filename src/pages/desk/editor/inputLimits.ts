import { EditorState } from '@codemirror/state';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { changedLines } from './speakers.ts';

/** Characters that the server does not take. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Characters of a pasted line, beyond which it is cut at a space. */
const PASTED_LENGTH = 2000;

/** Refuses changes that would make turns that the server does not take. */
export const limitTurns = EditorState.changeFilter.of(({ docChanged, changes, startState, newDoc }) => {
  if (!docChanged) return true;
  if (newDoc.lines > DESK_LIMITS.turns) return false;
  return changedLines(changes, startState.doc, newDoc).every(({ after }) => {
    for (let line = after[0]; line <= after[1]; line++) {
      const { text } = newDoc.line(line);
      if (text.length > DESK_LIMITS.turnLength || REFUSED.test(text)) return false;
    }
    return true;
  });
});

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
