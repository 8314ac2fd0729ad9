import { formatContentType, parseContentType } from '../../audio/format/contentType.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../protocol/interfaceNames.ts';
import type { QueryMismatch } from './mismatch.ts';

/** Parameters whose values differ, in order of their names. The token is none of them. */
export function queryDifference(
  recorded: Readonly<Record<string, string>>,
  found: URLSearchParams,
  ignored: ReadonlySet<string>,
): QueryMismatch['parameters'] {
  const names = new Set([...Object.keys(recorded), ...found.keys()]);
  return [...names]
    .filter(name => name !== ACCESS_TOKEN_PARAMETER && !ignored.has(name))
    .sort()
    .flatMap(name => {
      const [before, now] = [recorded[name], found.get(name) ?? undefined];
      if (plain(name, before) === plain(name, now)) return [];
      return [
        { name, ...(before !== undefined && { recorded: before }), ...(now !== undefined && { found: now }) },
      ];
    });
}

/** A value without what means nothing: an empty one is not set; parameters of a content type have no order. */
function plain(name: string, value: string | undefined): string | undefined {
  if (name !== 'content_type' || !value) return value || undefined;
  try {
    return formatContentType(parseContentType(value));
  } catch {
    return value;
  }
}
