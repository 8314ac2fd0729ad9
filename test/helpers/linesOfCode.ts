import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Extensions of files whose lines count. */
const EXTENSIONS: readonly string[] = ['.ts', '.tsx', '.css', '.html'];

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

/** Reads the files with code below a folder of the project; paths are relative to the folder. */
export function readCode(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => EXTENSIONS.includes(extname(path)))
    .map(path => ({ path, text: readFileSync(join(ROOT, folder, path), 'utf8') }));
}
