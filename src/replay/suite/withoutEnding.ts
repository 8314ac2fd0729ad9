import { extname } from 'node:path';

/** A path without the ending of its name, and without that of a cassette: `a/call.cassette.jsonl` is `a/call`. */
export function withoutEnding(path: string): string {
  const bare = path.slice(0, path.length - extname(path).length);
  return bare.endsWith('.cassette') ? bare.slice(0, -'.cassette'.length) : bare;
}
