import { ServiceError, UnauthorizedError } from './serviceErrors.ts';

/**
 * An access token, as it was given or from what gets one.
 *
 * @throws ServiceError of whoever gets it; UnauthorizedError, which may pass, for any other error of that
 */
export async function accessToken(token: string | (() => string | Promise<string>)): Promise<string> {
  if (typeof token === 'string') return token;
  try {
    return await token();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const advice = 'See the cause: it is what the token function threw.';
    // Who gives tokens may be as far away as the service is.
    throw new UnauthorizedError('unauthorized', 'get access token: failed', { advice, cause, retry: true });
  }
}
