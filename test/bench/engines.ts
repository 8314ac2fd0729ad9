import { readdirSync } from 'node:fs';

const PARTS = new URL('./engines/', import.meta.url);

/** Measures the engines one by one, each next to the engine's own program or a published figure. */
export async function run(): Promise<void> {
  for (const file of readdirSync(PARTS)
    .filter(name => name.endsWith('.ts'))
    .sort()) {
    console.log(`\n${file.slice(0, -'.ts'.length)}`);
    const part = (await import(new URL(file, PARTS).href)) as { run(): Promise<void> };
    await part.run();
  }
}
