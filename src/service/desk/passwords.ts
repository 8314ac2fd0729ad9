import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Parameters of scrypt: a hash takes 128 · N · r bytes of memory. */
export type PasswordCost = Readonly<Record<'N' | 'r' | 'p', number>>;

/** The parameters that OWASP recommends for scrypt, with 128 MiB of memory. */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** One hash at a time: each takes 128 MiB. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Number of passwords that are being hashed or wait to be. */
export const hashing = () => waiting;

async function keyOf(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  // Keyboards encode some characters differently.
  const text = password.normalize('NFKC');
  waiting++;
  const key = last.then(() => derive(text, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }));
  last = key.catch(() => {}).finally(() => waiting--);
  return key;
}

/** Returns the salted scrypt hash of a password, with its parameters: `scrypt$N$r$p$SALT$HASH`. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await keyOf(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Returns whether a password has the hash. Without a hash it takes as long as a new one, and the result is false. */
export async function isPassword(
  password: string,
  stored: string | undefined,
  newCost: PasswordCost,
): Promise<boolean> {
  const [kind, N, r, p, salt = '', hash = ''] = stored?.split('$') ?? [];
  const cost = kind === 'scrypt' ? { N: Number(N), r: Number(r), p: Number(p) } : newCost;
  const found = await keyOf(password, Buffer.from(salt, 'base64'), cost);
  const expected = Buffer.from(hash, 'base64');
  return kind === 'scrypt' && expected.length === HASH_BYTES && timingSafeEqual(found, expected);
}
