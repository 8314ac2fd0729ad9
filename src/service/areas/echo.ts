/** Kept in columns of their own. */
const RECORDED = ['metadata', 'language', 'delete_after_seconds'];
/** Too big to be shown again. */
const BULKY = ['custom_vocabularies', 'transcript_text', 'text', 'json'];

/** What a job shows of what it was asked for: as it was given, but no credentials and nothing bulky. */
export function echoOf(submission: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const shown = Object.entries(submission).filter(([name]) => ![...RECORDED, ...BULKY].includes(name));
  return shown.length === 0
    ? undefined
    : Object.fromEntries(shown.map(([name, value]) => [name, withoutCredentials(value)]));
}

/** Of an address, only the address. */
function withoutCredentials(value: unknown): unknown {
  const isAddress = typeof value === 'object' && value !== null && 'url' in value;
  return isAddress ? { url: value.url } : value;
}
