import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** A module name in a file, and where it stands with its quotes. */
export interface Specifier {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A module, a declaration file or a data file that tsc made of `src`. */
export interface BuiltFile {
  /** Relative to where tsc wrote, such as `audio/wav.d.ts`. */
  readonly path: string;
  readonly text: string;
  readonly specifiers: readonly Specifier[];
}

/** Reads the modules, declaration files and data files below a directory. */
export function readBuiltFiles(directory: string): readonly BuiltFile[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.(js|json|d\.ts)$/.test(path))
    .sort()
    .map(path => {
      const text = readFileSync(join(directory, path), 'utf8');
      return { path, text, specifiers: specifiersOf(path, text) };
    });
}

function specifiersOf(path: string, text: string): readonly Specifier[] {
  if (path.endsWith('.json')) return [];
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`read ${path}: ${errors[0]!.message}`);
  const found: Specifier[] = [];
  const take = (source: { type: string; start: number; end: number; value?: unknown } | null) => {
    if (typeof source?.value !== 'string') return;
    found.push({ name: source.value, start: source.start, end: source.end });
  };
  new Visitor({
    ImportDeclaration: node => take(node.source),
    ExportAllDeclaration: node => take(node.source),
    ExportNamedDeclaration: node => take(node.source),
    ImportExpression: node => take(node.source),
    TSImportType: node => take(node.source),
  }).visit(program);
  return found.sort((a, b) => a.start - b.start);
}

/** Returns the names that a module exports, without those that it exports by a star. */
export function exportedNames({ path, text }: BuiltFile): readonly string[] {
  const { staticExports } = parseSync(path, text).module;
  return staticExports.flatMap(({ entries }) => entries.flatMap(({ exportName }) => exportName.name ?? []));
}

/** Returns the file that a relative specifier names: data, else modules for modules, declarations for declarations. */
export function targetOf({ path }: BuiltFile, name: string): string {
  if (name.endsWith('.json')) return join(dirname(path), name);
  const ending = path.endsWith('.d.ts') ? '.d.ts' : '.js';
  return join(dirname(path), name).replace(/\.(d\.ts|ts|js)$/, '') + ending;
}

/** Returns the text with other code in place of module names, quotes included; `replace` returns undefined for what stays. */
export function rewritten(
  { text, specifiers }: BuiltFile,
  replace: (name: string) => string | undefined,
): string {
  let result = '';
  let from = 0;
  for (const { name, start, end } of specifiers) {
    result += text.slice(from, start) + (replace(name) ?? text.slice(start, end));
    from = end;
  }
  return result + text.slice(from);
}

/** Returns the package of a specifier that is not relative, such as `@scope/name` of `@scope/name/file.js`. */
export function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
