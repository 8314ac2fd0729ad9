import type { HttpLimits } from '../limits.ts';
import { ProblemError } from '../problems.ts';
import type { Area } from './area.ts';

/** Bytes of JSON that an area takes at most. */
export function mostBytes(
  { submission: { schema, isLong } }: Area,
  { bodyBytes, longBodyBytes, vocabularyBodyBytes }: HttpLimits,
): number {
  if ('custom_vocabularies' in schema.properties) return vocabularyBodyBytes;
  return isLong ? longBodyBytes : bodyBytes;
}

/** @throws ProblemError `payloadTooLarge` for JSON that is as long as vocabularies may be, and has none */
export function refuseLong(
  { submission: { isLong } }: Area,
  limits: HttpLimits,
  { json, bytes = 0 }: { readonly json: unknown; readonly bytes?: number },
): void {
  if (isLong || bytes <= limits.bodyBytes) return;
  const { custom_vocabularies: vocabularies } = (json ?? {}) as { custom_vocabularies?: unknown };
  if (!Array.isArray(vocabularies)) throw new ProblemError('payloadTooLarge');
}
