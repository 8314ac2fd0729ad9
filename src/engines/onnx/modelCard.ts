import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The languages that a model's README.md names in its front matter, as ISO 639-1 codes; none when it names none. */
export async function languagesOfCard(directory: string): Promise<readonly string[]> {
  const card = await readFile(join(directory, 'README.md'), 'utf8').catch(() => '');
  const [, frontMatter = ''] = /^---\r?\n([\s\S]*?)\n---/.exec(card) ?? [];
  // "language: en", "language: [en, de]" or a list of "- en" on lines of their own.
  const [, named = ''] = /^language:([^\n]*(?:\n[ \t]*-[^\n]*)*)/m.exec(frontMatter) ?? [];
  return [...new Set(named.match(/\b[a-z]{2}\b/g))];
}
