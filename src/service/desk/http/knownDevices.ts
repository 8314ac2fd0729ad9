import { createHash, createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createToken } from '../../accounts/tokens.ts';
import type { DeskUsers, KnownUser } from '../deskUsers.ts';
import { COOKIE_OPTIONS, DESK_COOKIE, isSame } from './deskRequest.ts';

/** The longest that browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 24 * 3600;

/** One for each name, as several people may share a browser. */
const cookieOf = (name: string) =>
  `${DESK_COOKIE}-device-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;

/** Only the service knows the hash of a password, and another password makes all devices of its user unknown. */
const keyOf = ({ name, password }: KnownUser, id: string) =>
  createHmac('sha256', password).update(`device ${id} ${name}`).digest('base64url');

/** Sets the cookie by which the device of a user who has logged in is known from now on. */
export function rememberDevice(reply: FastifyReply, user: KnownUser): void {
  const id = createToken();
  reply.setCookie(cookieOf(user.name), `${id}.${keyOf(user, id)}`, {
    ...COOKIE_OPTIONS,
    maxAge: MAX_AGE_SECONDS,
  });
}

/** Returns the id of a device from which the user of a name has logged in before; undefined for other devices. */
export async function knownDevice(
  { cookies }: FastifyRequest,
  users: DeskUsers,
  name: string,
): Promise<string | undefined> {
  const [id, key] = cookies[cookieOf(name)]?.split('.') ?? [];
  if (!id || !key) return undefined;
  const user = await users.find(name);
  return user && isSame(key, keyOf(user, id)) ? id : undefined;
}
