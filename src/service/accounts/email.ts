import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../base/errors.ts';
import { EmailSchema } from '../../protocol/admin.ts';

/**
 * Checks the e-mail address of an account.
 *
 * @throws InvalidArgumentError
 */
export function checkEmail(email: string): void {
  if (Value.Check(EmailSchema, email)) return;
  throw new InvalidArgumentError(`account: wanted an e-mail address, as ada@example.org, found "${email}"`);
}
