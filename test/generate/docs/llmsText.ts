import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../..', import.meta.url).pathname;
/** The documents for users, in the order in which a newcomer needs them. */
const GUIDES = ['client', 'captions', 'service', 'replay', 'engines', 'cli'].map(
  folder => `src/${folder}/README.md`,
);
const OTHERS = ['samples/deploy/README.md', 'test/bench/README.md'];

/**
 * Returns `llms.txt`, the table of contents for programs that read documentation: title, summary, and each document with its
 * first paragraph and its sections, as of https://llmstxt.org.
 */
export function llmsText(): string {
  const { title, summary } = partsOf('README.md');
  const guides = ['README.md', ...GUIDES].map(entryOf).join('\n');
  return `# ${title}\n\n> ${summary}\n\n## Documentation\n\n${guides}\n\n## Optional\n\n${OTHERS.map(entryOf).join('\n')}\n`;
}

function entryOf(path: string): string {
  const { title, summary, sections } = partsOf(path);
  const contents = sections.length > 0 ? ` Sections: ${sections.join(', ')}.` : '';
  return `- [${title}](${path}): ${summary}${contents}`;
}

function partsOf(path: string) {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  const [, title = '', summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(text) ?? [];
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
  // The list leads to files: links within its texts would not.
  const plain = summary.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return { title, summary: plain.replace(/:$/, '.'), sections };
}
