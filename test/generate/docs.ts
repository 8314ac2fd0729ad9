/** Writes the tables of options in every README, `llms.txt`, and the names of options: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { llmsText } from './docs/llmsText.ts';
import { optionNamesText } from './docs/optionNames.ts';
import { DOCUMENTS, withTables } from './docs/optionTables.ts';

for (const path of DOCUMENTS) {
  const before = readFileSync(path, 'utf8');
  const after = withTables(before);
  if (after !== before) writeFileSync(path, after);
  console.log(`${after === before ? 'unchanged' : 'written  '} ${path}`);
}
writeFileSync('llms.txt', llmsText());
writeFileSync('src/base/optionNames.json', optionNamesText());
