import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Value } from 'typebox/value';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { DeskPasswordSchema, NewDeskUserSchema } from '../../protocol/desk.ts';
import { DESK_LIMITS } from '../../protocol/limits.ts';
import type { Io } from '../context.ts';
import { readTextFile } from './textFile.ts';

/**
 * Resolves with a new password for the desk: the line that is piped to standard input, or a password typed twice in a
 * terminal, without echo.
 *
 * @throws InvalidArgumentError when it is too short or too long, or typed differently; RxscribeError `aborted` by Ctrl-C
 */
export async function readNewPassword(io: Pick<Io, 'stdin' | 'stderr'>): Promise<string> {
  return (io.stdin as Partial<NodeJS.ReadStream>).isTTY ? typedPassword(io) : pipedPassword(io);
}

async function pipedPassword({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  const password = (await readTextFile('-', { stdin })).replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw new InvalidArgumentError('The password must be a single line.');
  return checked(password);
}

async function typedPassword({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): Promise<string> {
  // The line editor of a terminal echoes its input to this output, which drops it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string) => {
    stderr.write(question);
    const { value, done } = await typed.next();
    stderr.write('\n');
    // Closed by Ctrl-C or Ctrl-D.
    if (done) throw new RxscribeError('aborted', 'Interrupted.');
    return value;
  };
  try {
    const password = checked(await ask('Password: '));
    if ((await ask('Password again: ')) === password) return password;
    throw new InvalidArgumentError('The two passwords differ.');
  } finally {
    lines.close();
  }
}

function checked(password: string): string {
  if (Value.Check(DeskPasswordSchema, { password })) return password;
  const { min, max } = DESK_LIMITS.passwordLength;
  throw new InvalidArgumentError(`The password must have ${min} to ${max} characters.`);
}

/** @throws InvalidArgumentError for a name that no user can have */
export function checkUserName(name: string): void {
  if (Value.Check(NewDeskUserSchema.properties.name, name)) return;
  throw new InvalidArgumentError(
    `The name of a user begins with a letter or digit, and has letters, digits, '.', '_', '@' and '-', at most ${DESK_LIMITS.nameLength} in all.`,
  );
}
