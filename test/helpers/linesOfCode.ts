/** Extensions of files whose lines count. */
export const CODE_EXTENSIONS = ['ts', 'tsx', 'css', 'html'] as const;

/** Returns the lines of a text that are neither blank nor part of a comment that begins a line. */
export function linesOfCode(text: string): number {
  let comment: '*/' | '-->' | undefined;
  let count = 0;
  for (const line of text.split('\n').map(one => one.trim())) {
    if (comment) {
      if (line.includes(comment)) comment = undefined;
      continue;
    }
    const end = line.startsWith('/*') ? '*/' : line.startsWith('<!--') ? '-->' : undefined;
    if (end && !line.includes(end)) comment = end;
    if (line !== '' && !line.startsWith('//') && !end) count++;
  }
  return count;
}
