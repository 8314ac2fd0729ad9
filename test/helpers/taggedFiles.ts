import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;

/** A module whose tests all have a tag. */
const MODULE_TAG = /^\/\/ @module-tag /m;
const TAG = /@module-tag |\btags: \[?'/;

/**
 * Returns the test files to load, since to load one only to find that its tags leave nothing to run takes seconds.
 *
 * @param mode `fast`: files with tests without a tag. `rest`: files with tests that have one, of their own or by a helper
 *   that they import. Otherwise all.
 */
export function testFiles(mode: string): readonly string[] {
  const all = globSync('test/**/*.test.ts', { cwd: ROOT });
  if (mode === 'fast') return all.filter(path => !MODULE_TAG.test(read(path)));
  return mode === 'rest' ? all.filter(hasTag) : all;
}

const tagged = new Map<string, boolean>();

/** Returns whether a file, or one of those in `test` that it imports, has a tag. */
function hasTag(path: string): boolean {
  const known = tagged.get(path);
  if (known !== undefined) return known;
  // Files that import each other end here.
  tagged.set(path, false);
  const text = read(path);
  const imports = [...text.matchAll(/ from '(\.[^']*\.ts)'/g)].map(([, name]) => join(dirname(path), name!));
  const found = TAG.test(text) || imports.some(one => one.startsWith('test/') && hasTag(one));
  tagged.set(path, found);
  return found;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
