import { readFile } from 'node:fs/promises';
import module from 'node:module';

/** Modules of the page, each after its imports. */
const MODULES = [
  'elements',
  'position',
  'timedWords',
  'waveform',
  'timeLine',
  'differences',
  'page',
] as const;

/**
 * Returns the script of a page, which joins the modules in `browser/`. `npm run build` compiles them with the types of
 * browsers; in a checkout that is not built, their types are stripped here.
 */
export async function pageScript(): Promise<string> {
  const modules = await Promise.all(MODULES.map(readModule));
  return `(() => {\n'use strict';\n${modules.join('\n')}\nstartPage();\n})();\n`;
}

async function readModule(name: (typeof MODULES)[number]): Promise<string> {
  const isBuilt = import.meta.url.endsWith('.js');
  const url = new URL(`./browser/${name}.${isBuilt ? 'js' : 'ts'}`, import.meta.url);
  const source = await readFile(url, 'utf8');
  const script = isBuilt ? source : module.stripTypeScriptTypes(source);
  return script.replace(/^import\s[^;]*;$/gm, '').replace(/^export (?=function|const|async|class)/gm, '');
}
