import { isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { messageOf } from '../../../base/errors.ts';

/** Largest suite in bytes; a larger file was given by mistake. */
export const MAX_SUITE_BYTES = 1 << 20;
/** Most expansions of aliases of aliases; anything that grows beyond it is refused. */
const MAX_ALIASES = 100;

/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface SuiteText {
  /** Parsed value. Undefined when the text has syntax errors. */
  readonly value: unknown;
  readonly faults: readonly (Place & { readonly message: string })[];
  /** Returns the place of a value or its key; for a missing one, the place where it belongs. */
  placeOf(path: readonly (string | number)[], ofKey?: boolean): Place;
}

/** Parses YAML 1.2, which includes JSON, without custom tags and merge keys, and with unique keys. */
export function readSuiteText(text: string): SuiteText {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'core',
    merge: false,
    customTags: [],
    prettyErrors: false,
    stringKeys: true,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    ...placeAt(pos[0]),
    message: message.split('\n')[0]!,
  }));
  let value: unknown;
  try {
    if (faults.length === 0) value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // An alias of nothing, or too many nested aliases.
    faults.push({ line: 1, column: 1, message: messageOf(error) });
  }
  return {
    value,
    faults,
    placeOf: (path, ofKey) => placeAt(offsetOf(document.contents, path, ofKey)),
  };
}

/** Returns the offset of a value; for a missing key that of its parent. */
function offsetOf(root: Node | null, path: readonly (string | number)[], ofKey = false): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [index, name] of path.entries()) {
    const pair = pairOf(node, name);
    const found = pair?.value ?? itemOf(node, name);
    const key = pair?.key as Node | undefined;
    if (!found && !key) return offset;
    if (ofKey && key && index === path.length - 1) return key.range?.[0] ?? offset;
    node = found;
    offset = (found as Node | undefined)?.range?.[0] ?? key?.range?.[0] ?? offset;
  }
  return offset;
}

function pairOf(node: unknown, name: string | number): Pair | undefined {
  const { items } = (node ?? {}) as { items?: readonly unknown[] };
  return items?.find((item): item is Pair => {
    const { key } = item as { key?: unknown };
    return isScalar(key) && key.value === name;
  });
}

function itemOf(node: unknown, index: string | number): unknown {
  if (typeof index !== 'number') return undefined;
  return (node as { items?: readonly unknown[] } | undefined)?.items?.[index];
}
