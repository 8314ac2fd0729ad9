import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { wordKey } from '../../../src/transcript/text/tokens.ts';
import { AnsiScreen } from '../../helpers/ansiScreen.ts';
import { runCommand } from '../../helpers/commandLine.ts';
import { needsProgram, testRecognizer } from '../../helpers/needs.ts';
import { onTerminal } from '../../helpers/onTerminal.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
/** Faster than it is spoken, and slow enough for partials to come before their finals. */
const COMMAND = ['caption', SAMPLE, '--speed', '4'];

/** Text of the sample's cues: the captions must add up to it, whichever partials came. */
const text = readFileSync(new URL('../../fixtures/replay/sense-and-sensibility.srt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !/^\d+$|-->/.test(line))
  .join(' ');

/** Without commas: with a close choice, the recogniser decides by the arithmetic of the processor. */
const withoutCommas = (captions: string) => captions.replaceAll(',', '');

/** Words in a row that are said once, and so may be read once. */
const RUN = 4;

/** Runs of words that stand twice. */
function repeatedRuns(lines: readonly string[]): string[] {
  const words = lines.join(' ').split(/\s+/).map(wordKey).filter(Boolean);
  const runs = words.map((_, index) => words.slice(index, index + RUN).join(' ')).slice(0, 1 - RUN);
  return runs.filter((run, index) => runs.indexOf(run) !== index);
}

/** Matches before each carriage return or escape sequence. */
const BEFORE_MOVE = new RegExp(`(?=\\r|${String.fromCharCode(27)})`);

describe('the captions of the demo', { timeout: 120_000 }, () => {
  testRecognizer('are the text of the sample, written to a pipe', async () => {
    const { code, stdout, stderr } = await runCommand(COMMAND);
    const lines = stdout.trimEnd().split('\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(withoutCommas(lines.join(' '))).toBe(withoutCommas(text));
    expect(repeatedRuns(lines)).toEqual([]);
  });

  testRecognizer(
    'are the text of the sample in a terminal, which never shows a word twice',
    async context => {
      needsProgram(context, 'script');
      const output = await onTerminal(COMMAND, { columns: 60, rows: 20 });
      const screen = new AnsiScreen(60, 20);
      let painted = 0;
      for (const piece of output.split(BEFORE_MOVE)) {
        screen.write(piece);
        painted++;
        expect(repeatedRuns(screen.certain)).toEqual([]);
      }
      expect(painted).toBeGreaterThan(10);
      expect(withoutCommas(screen.certain.join(' ').trim())).toBe(withoutCommas(text));
      expect(screen.cursorVisible).toBe(true);
    },
  );
});
