import { readFileSync, statSync } from 'node:fs';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { messageOf, unreadable } from '../base/errors.ts';
import { fileReason } from '../base/text.ts';
import { decodeText, NOT_TEXT } from '../web/readText.ts';

/** Largest settings in bytes; a larger file was given by mistake. */
const MAX_BYTES = 1 << 20;
/** Maximum number of nested alias expansions; a document with more is refused. */
const MAX_ALIASES = 100;

/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface SettingsText {
  /** Parsed value. Undefined when the text has syntax errors. */
  readonly value: unknown;
  readonly faults: readonly (Place & { readonly message: string })[];
  /** Returns the place of a value or its key; for a missing one, the place where it belongs. */
  placeOf(path: readonly (string | number)[], ofKey?: boolean): Place;
}

/**
 * Reads a file of settings.
 *
 * @param what the file, such as `suite`
 * @throws RxscribeError `unreadable-input`, also for a file that is too large
 */
export function settingsText(what: string, path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, and may have ${MAX_BYTES} at most`);
    const text = decodeText(readFileSync(path));
    if (text === undefined) throw new Error(NOT_TEXT);
    return text;
  } catch (cause) {
    throw unreadable(`the ${what} '${path}'`, fileReason(cause), cause);
  }
}

/** Parses YAML 1.2, which includes JSON, without custom tags and merge keys, and with unique keys. */
export function readSettings(text: string): SettingsText {
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
    message: message.replace(/\n.*/s, ''),
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
    placeOf: (path, ofKey) => placeAt(offsetOf(document, path, ofKey)),
  };
}

/** Returns the offset of a value, or of its key; for a missing one that of its parent. */
function offsetOf(document: Document, path: readonly (string | number)[], ofKey = false): number {
  const parentPath = path.slice(0, -1);
  const parent = document.getIn(parentPath, true);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    : undefined;
  const node = ofKey ? pair?.key : (document.getIn(path, true) ?? pair?.key);
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, parentPath);
}
