import Negotiator from 'negotiator';
import { type ProblemCode, ProblemError } from '../problems.ts';

/** Characters of a header that an answer repeats. */
const MAX_ECHO = 200;

export interface MediaTypeChoice {
  /** The default first. */
  readonly supported: readonly string[];
  /** A type has to be named: neither a wildcard nor a missing header will do. */
  readonly isStrict: boolean;
  readonly unacceptable: ProblemCode;
}

/**
 * The media type that an Accept header wants most.
 *
 * @throws ProblemError when it wants none of those that there are
 */
export function chooseMediaType(
  accept: string | undefined,
  { supported, isStrict, unacceptable }: MediaTypeChoice,
): string {
  const negotiator = new Negotiator({ headers: { accept: accept || (isStrict ? 'none' : '*/*') } });
  const chosen = isStrict
    ? negotiator.mediaTypes().find(type => supported.includes(type.toLowerCase()))
    : negotiator.mediaType([...supported]);
  if (chosen !== undefined) return chosen.toLowerCase();
  const value = accept?.slice(0, MAX_ECHO);
  throw new ProblemError(unacceptable, {
    allowed_values: [...supported],
    ...(value !== undefined && { current_value: value }),
    detail:
      value === undefined ? 'The Accept header is missing' : `The Accept value '${value}' is not supported`,
  });
}
