import { describe, expect, test } from 'vitest';
import { hashPassword, isPassword, PASSWORD_COST } from '../../../src/service/desk/passwords.ts';
import { settingsOf } from '../../../src/service/options.ts';
import { FAST_PASSWORDS } from '../../helpers/fastPasswords.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

describe('the hash of a password', () => {
  test('has the cost that OWASP recommends, unless the service was created with another one', async () => {
    const { passwordCost } = settingsOf({ recognizer: createScriptedRecognizer() });
    expect(await hashPassword('correct horse', passwordCost)).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(await hashPassword('correct horse', FAST_PASSWORDS)).toMatch(/^scrypt\$16\$1\$1\$/);
  });

  test('is verified at its own cost', async () => {
    const stored = await hashPassword('correct horse', FAST_PASSWORDS);
    expect(await isPassword('correct horse', stored, PASSWORD_COST)).toBe(true);
    expect(await isPassword('wrong horse', stored, PASSWORD_COST)).toBe(false);
    expect(await isPassword('', undefined, FAST_PASSWORDS)).toBe(false);
  });

  test('is that of all spellings of its characters', async () => {
    const stored = await hashPassword('caf\u00e9', FAST_PASSWORDS);
    expect(await isPassword('cafe\u0301', stored, FAST_PASSWORDS)).toBe(true);
  });
});
