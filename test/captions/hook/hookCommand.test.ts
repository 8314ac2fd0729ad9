import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/base/text.ts';
import { requireProgram, splitCommand } from '../../../src/captions/hook/hookCommand.ts';

describe('the command of a hook', () => {
  it.each([
    ['cat', ['cat']],
    ['  sed   -u  s/a/b/ ', ['sed', '-u', 's/a/b/']],
    [`sed -u 's/Mr. /Mister /'`, ['sed', '-u', 's/Mr. /Mister /']],
    [`say "a \\"b\\" \\n" c\\ d`, ['say', 'a "b" \\n', 'c d']],
    [`x ''`, ['x', '']],
    [`sh -c 'a | b > c'`, ['sh', '-c', 'a | b > c']],
    ['awk {print$1}', ['awk', '{print$1}']],
  ])('is split: %s', (command, [program, ...args]) => {
    if (command.includes('$1')) expect(() => splitCommand(command)).toThrow("has '$1' outside of quotes");
    else expect(splitCommand(command)).toEqual({ program, args });
  });

  it('is split into the words that a shell would see', () => {
    const words = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), words, (first, rest) => {
        const all = [first, ...rest];
        expect(splitCommand(all.map(shellWord).join(' '))).toEqual({ program: first, args: rest });
      }),
    );
  });

  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    [`sed 's/a/b/`, 'has a quote that is not closed'],
    ['a "b', 'has a quote that is not closed'],
    ['a \\', 'has a quote that is not closed'],
    ['a | b', "has '|' outside of quotes"],
    ['a > b', "has '>' outside of quotes"],
    ['a $HOME', "has '$H' outside of quotes"],
    ['a; b', "has ';' outside of quotes"],
  ])('is refused: %s', (command, message) => {
    expect(() => splitCommand(command)).toThrow(message);
  });

  it('names a program that exists', () => {
    requireProgram({ program: 'sh', args: [] });
    requireProgram({ program: process.execPath, args: [] });
    expect(() => requireProgram({ program: 'no-such-program', args: [] })).toThrow(
      "The program 'no-such-program' of the hook is not on the PATH.",
    );
    expect(() => requireProgram({ program: './no-such-program', args: [] })).toThrow('does not exist');
  });
});
