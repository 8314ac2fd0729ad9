import { accessSync, constants } from 'node:fs';
import { findProgram } from '../../audio/source/program.ts';
import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';

/** A program with its arguments. */
export interface HookCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Matches the parts of a word, and a whole word. */
const PART = /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)|(?<plain>[^\s'"\\]+)/gs;
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs;

/** Characters that mean something to a shell outside of quotes. */
const SHELL_ONLY = /[|&;<>`]|\$[\w({]/;

/**
 * Splits a command at its spaces; quotes and backslashes keep words together, as in a POSIX shell. It is run without a shell,
 * so a command that needs one is refused.
 *
 * @throws InvalidArgumentError for an empty command, a quote that is not closed, and pipes, redirections and the like
 * @example
 * splitCommand(`sed -u 's/Mr. /Mister /'`) // { program: 'sed', args: ['-u', 's/Mr. /Mister /'] }
 */
export function splitCommand(command: string): HookCommand {
  const isClosed = command.replace(WORD, '').trim() === '';
  refuseIf(!isClosed, 'The command of the hook has a quote that is not closed.');
  const words = command.match(WORD) ?? [];
  const [program, ...args] = words.map(word => word.replace(PART, (...found) => textOfPart(found.at(-1))));
  if (program) return { program, args };
  throw new InvalidArgumentError('The command of the hook is empty. Give a program or a web address.');
}

function textOfPart({ single, double, escaped, plain }: Partial<Record<string, string>>): string {
  if (plain === undefined) return single ?? escaped ?? (double ?? '').replace(/\\(["\\$`])/g, '$1');
  const special = SHELL_ONLY.exec(plain)?.[0];
  if (special === undefined) return plain;
  const problem = `The command of the hook has '${special}' outside of quotes, but it is run without a shell`;
  throw new InvalidArgumentError(`${problem}. Quote it, or write: sh -c 'COMMAND'.`);
}

/**
 * Checks that the program of a command exists.
 *
 * @throws InvalidArgumentError when it is not on the PATH, or cannot be executed
 */
export function requireProgram({ program }: HookCommand): void {
  if (!/[\\/]/.test(program)) {
    if (findProgram(program)) return;
    throw new InvalidArgumentError(`The program '${program}' of the hook is not on the PATH.`);
  }
  try {
    accessSync(program, constants.X_OK);
  } catch (cause) {
    const problem = `The program '${program}' of the hook does not exist, or cannot be executed`;
    throw new InvalidArgumentError(`${problem}.`, { cause });
  }
}
