import { ACCESS_TOKEN_PARAMETER } from '../../protocol/paths.ts';

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** The token of a streaming connection. */
export function queryToken(parameters: URLSearchParams): string | undefined {
  return parameters.get(ACCESS_TOKEN_PARAMETER) || undefined;
}
