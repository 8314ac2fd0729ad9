import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** `npm run bench -- NAME…`: runs measurements by name, or all or a part of `engines`, `machines`, `recovery` or `replay`; without a name, says which there are. */

const modulesIn = (directory: string) =>
  readdirSync(join(import.meta.dirname, directory))
    .filter(file => file.endsWith('.ts') && file !== 'main.ts')
    .map(file => join(directory, file.slice(0, -'.ts'.length)));
const groups = ['engines', 'machines', 'recovery', 'replay'];
const names = ['.', ...groups].flatMap(modulesIn);
const wanted = process.argv.slice(2).flatMap(name => (groups.includes(name) ? modulesIn(name) : [name]));
const unknown = wanted.filter(name => !names.includes(name));

if (wanted.length === 0 || unknown.length > 0) {
  console.error(`npm run bench -- NAME, where NAME is ${[...groups, ...names].join(', ')}`);
  process.exit(2);
}

const [cpu] = cpus();
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} x ${cpu?.model}\n`,
);
for (const name of wanted) {
  if (wanted.length > 1) console.log(`\n${name}`);
  const { run } = (await import(`./${name}.ts`)) as { run(): Promise<void> };
  await run();
}
