import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = new URL('../../src/', import.meta.url).pathname;

export interface SourceFile {
  /** Relative to `src`, such as `audio/pcm/wav.ts`. */
  readonly path: string;
  /** The first folder, or `entry` for a file directly in `src`. */
  readonly folder: string;
  readonly text: string;
  readonly lines: number;
  /** Files of the tree that it imports, relative to `src`; types included. */
  readonly imports: readonly string[];
  /** Imports that exist at run time. */
  readonly loads: readonly string[];
  /** Packages and Node modules that it imports. */
  readonly packages: readonly string[];
}

/** Every TypeScript file below `src`. */
export function readSourceTree(): readonly SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(readSource);
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const found = [
    ...text.matchAll(
      /^\s*(?:import|export)\s(type\s)?[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)|^import\s+'([^']+)'/gm,
    ),
  ].map(match => ({ isType: match[1] !== undefined, name: match[2] ?? match[3] ?? match[4] ?? '' }));
  const specifiers = found.map(({ name }) => name);
  const within = (name: string) => relative(root, join(root, dirname(path), name));
  const own = found.filter(({ name }) => name.startsWith('.'));
  return {
    path,
    folder: path.includes('/') ? path.slice(0, path.indexOf('/')) : 'entry',
    text,
    lines: text.split('\n').length,
    imports: own.map(({ name }) => within(name)),
    loads: own.filter(({ isType }) => !isType).map(({ name }) => within(name)),
    packages: specifiers.filter(name => !name.startsWith('.')),
  };
}

/** The cycles of the import graph, each as the files along it. */
export function findCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const byPath = new Map(files.map(file => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), path]);
    if (seenAt >= 0 || done.has(path)) return;
    for (const next of byPath.get(path)?.imports ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const file of files) visit(file.path, []);
  return cycles;
}

/**
 * The circles among sibling folders, at any depth, each as its import statements: folders of one parent that import
 * each other, directly or through others. Files beside the folders do not count.
 */
export function findFolderCircles(files: readonly SourceFile[]): readonly string[] {
  const parents = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  return [...parents].flatMap(parent => circlesBelow(parent, files));
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}

function circlesBelow(parent: string, files: readonly SourceFile[]): readonly string[] {
  const roomOf = (path: string) =>
    path.startsWith(parent) && path.slice(parent.length).includes('/')
      ? path.slice(0, path.indexOf('/', parent.length))
      : undefined;
  const edges = files.flatMap(({ path, imports }) =>
    imports.flatMap(target => {
      const [from, to] = [roomOf(path), roomOf(target)];
      return from && to && from !== to ? [{ from, to, text: `${path} -> ${target}` }] : [];
    }),
  );
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    edges.some(edge => {
      if (edge.from !== from || seen.has(edge.to)) return false;
      seen.add(edge.to);
      return edge.to === to || reaches(edge.to, to, seen);
    });
  return edges.filter(({ from, to }) => reaches(to, from)).map(({ text }) => text);
}
