import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { from, type Observable, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PAUSED_NOTICE } from '../../../src/captions/captionSteps.ts';
import { type TerminalOutput, terminalOutput } from '../../../src/captions/outputs/terminalOutput.ts';
import type { CaptionDisplay } from '../../../src/captions/rows/captionDisplay.ts';
import { type LiveCaptionsOptions, liveCaptions } from '../../../src/captions/rows/liveCaptions.ts';
import type { TranscriptEvent } from '../../../src/transcript/model/events.ts';
import { AnsiScreen } from '../../helpers/ansiScreen.ts';
import { captionStory, storyText } from '../../helpers/captionStory.ts';
import { rolledUp } from '../../helpers/rolledUp.ts';
import { final } from '../../helpers/transcriptEvents.ts';

/** A terminal that shows what is written to it. */
class FakeTerminal extends Writable {
  readonly isTTY = true;
  readonly screen: AnsiScreen;
  readonly colors: boolean;
  columns: number;
  rows: number;

  constructor(columns = 60, rows = 12, { colors = true } = {}) {
    super({ decodeStrings: false });
    this.screen = new AnsiScreen(columns, rows);
    this.columns = columns;
    this.rows = rows;
    this.colors = colors;
  }

  getColorDepth(): number {
    return this.colors ? 8 : 1;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.screen.write(chunk.toString());
    done();
  }
}

/** Returns the output to a stream that is not a terminal. */
class Pipe extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const display = (rows: string[], tail = '', settled: string[] = []): CaptionDisplay => ({
  sequence: 1,
  rows,
  tail,
  settled,
});

/** Plays events to their end. */
async function play(
  events$: Observable<TranscriptEvent>,
  output: TerminalOutput,
  options: LiveCaptionsOptions = {},
  each: (display: CaptionDisplay) => void = () => {},
): Promise<void> {
  await events$.pipe(liveCaptions({ columns: () => output.columns, ...options })).forEach(next => {
    output.show(next);
    each(next);
  });
  await output.close();
}

describe('terminalOutput on a terminal', () => {
  it('shows rows with a dim tail, and the transcript above them', async () => {
    const terminal = new FakeTerminal();
    const output = terminalOutput(terminal);
    output.show(display(['one two'], 'three'));
    expect(terminal.screen.lines).toEqual(['one two three']);
    expect(terminal.screen.dim).toBe('three');
    output.show(display(['one two three', 'four'], '', ['Before.']));
    expect(terminal.screen.lines).toEqual(['Before.', 'one two three', 'four']);
    output.show(display([], '', ['One two three', 'four.']));
    expect(terminal.screen.lines).toEqual(['Before.', 'One two three', 'four.', '']);
    await output.close();
  });

  it.each([
    { columns: 60, rows: 12 },
    { columns: 60, rows: 4 },
    { columns: 12, rows: 6 },
  ])('never changes a word on a screen of $columns by $rows', async ({ columns, rows }) => {
    const terminal = new FakeTerminal(columns, rows);
    let transcript: readonly string[] = [];
    let caption: readonly string[] = [];
    let tails = 0;
    await play(from(captionStory()), terminalOutput(terminal), {}, ({ rows, tail }) => {
      const lines = terminal.screen.certain.slice(0, rows.length === 0 ? -1 : undefined);
      const above = lines.slice(0, lines.length - rows.length);
      const below = lines.slice(lines.length - rows.length);
      expect(below).toEqual(rows);
      expect(terminal.screen.dim).toBe(tail);
      expect(rolledUp(caption, below, 3)).toBe(true);
      expect(above.slice(0, transcript.length)).toEqual(transcript);
      transcript = above;
      caption = below;
      if (tail !== '') tails++;
    });
    expect(transcript.join(' ')).toBe(storyText);
    expect(tails).toBeGreaterThan(20);
  });

  it('redraws no line but those that change', () => {
    const writes: string[] = [];
    const terminal = new FakeTerminal();
    const output = terminalOutput(terminal);
    output.show(display(['one two', 'three']));
    terminal.write = ((text: string) => writes.push(text) > 0) as typeof terminal.write;
    output.show(display(['one two', 'three four']));
    expect(writes.join('')).not.toContain('one');
    writes.length = 0;
    output.show(display(['one two', 'three four']));
    expect(writes).toEqual([]);
    output.show(display(['one two', 'three four', 'five']));
    expect(writes.join('')).not.toContain('three');
  });

  it('shows fewer rows than before, and goes on from there', () => {
    const terminal = new FakeTerminal();
    const output = terminalOutput(terminal);
    for (const rows of [['a', 'b', 'c'], ['a', 'b'], ['a', 'b x'], ['a'], [], ['d'], ['d', 'e']]) {
      output.show(display(rows));
      expect(terminal.screen.lines.filter(Boolean)).toEqual(rows);
    }
  });

  it('hides the cursor, and gives it back', async () => {
    const terminal = new FakeTerminal();
    const output = terminalOutput(terminal);
    expect(terminal.screen.cursorVisible).toBe(false);
    const listeners = process.listenerCount('exit');
    output.show(display(['one'], 'two'));
    await output.close();
    await output.close();
    expect(terminal.screen.cursorVisible).toBe(true);
    expect(terminal.screen.lines).toEqual(['one', '']);
    expect(process.listenerCount('exit')).toBe(listeners - 1);
    expect(terminal.listenerCount('resize')).toBe(0);
    output.show(display(['late']));
    expect(terminal.screen.lines).toEqual(['one', '']);
  });

  it('continues words that overflow a settled line on the next one', async () => {
    const terminal = new FakeTerminal(20, 8);
    const output = terminalOutput(terminal);
    output.show(display(['consider how much'], '', ['He had then leisure to']));
    expect(terminal.screen.certain).toEqual(['He had then leisure', 'to', 'consider how much']);
    output.show(display(['there might be'], '', ['consider how much']));
    expect(terminal.screen.certain).toEqual([
      'He had then leisure',
      'to consider how much',
      'there might be',
    ]);
    await output.close();
  });

  it('begins a turn and a notice on lines of their own, and loses no overflowing word', async () => {
    const terminal = new FakeTerminal(20, 12);
    const output = terminalOutput(terminal);
    const long = 'He had then leisure to';
    output.show(display([], '', [long, PAUSED_NOTICE, long, '>> Had he?', long]));
    await output.close();
    expect(terminal.screen.certain.filter(Boolean)).toEqual([
      'He had then leisure',
      'to',
      PAUSED_NOTICE,
      'He had then leisure',
      'to',
      '>> Had he?',
      'He had then leisure',
      'to',
    ]);
  });

  it('shows no tail where it would look like settled text', () => {
    const terminal = new FakeTerminal(60, 12, { colors: false });
    const output = terminalOutput(terminal);
    output.show(display(['one'], 'two'));
    output.show(display(['one', 'three'], 'four'));
    expect(terminal.screen.lines).toEqual(['one', 'three']);
  });

  it('gives rows as many columns as there are, up to a limit', () => {
    const terminal = new FakeTerminal(30);
    expect(terminalOutput(terminal).columns).toBe(30);
    expect(terminalOutput(terminal, { maxColumns: 20 }).columns).toBe(20);
    expect(terminalOutput(new FakeTerminal(200)).columns).toBe(42);
    expect(terminalOutput(new FakeTerminal(0)).columns).toBe(42);
  });

  it('draws rows anew where the terminal becomes narrow', () => {
    const terminal = new FakeTerminal(20, 6);
    const output = terminalOutput(terminal);
    output.show(display(['one two three four', 'five six']));
    // The terminal itself wraps what stands there: one line becomes two.
    const narrow = new AnsiScreen(10, 6);
    narrow.write('one two three four\r\nfive six');
    const resized = Object.assign(terminal, { columns: 10, screen: narrow });
    resized.emit('resize');
    expect(narrow.lines).toEqual(['one two', 'three four', 'five six']);
    output.show(display(['five six', 'seven'], '', ['One two three four']));
    expect(narrow.lines).toEqual(['One two', 'three four', 'five six', 'seven']);
  });

  it.each([
    { columns: 60, rows: 12 },
    { columns: 60, rows: 4 },
    { columns: 12, rows: 6 },
  ])('has a footer below the rows of a screen of $columns by $rows, which leaves no trace', async size => {
    const terminal = new FakeTerminal(size.columns, size.rows);
    const output = terminalOutput(terminal);
    let count = 0;
    await play(from(captionStory()), output, {}, ({ rows, tail }) => {
      const footer = `${'#'.repeat(++count % 20)}${count}`;
      output.footer(footer);
      if (count % 7 === 0) output.aside(() => terminal.write(`note${count}\r\n`));
      const { lines, dim } = terminal.screen;
      expect(lines.at(-1)).toBe(footer.slice(0, size.columns));
      expect(dim).toBe([tail, lines.at(-1)].filter(Boolean).join(''));
      expect(lines.filter(line => line.includes('#')).length).toBeLessThanOrEqual(1);
      if (rows.length > 0) expect(lines.at(-2)).toContain(rows.at(-1)!);
    });
    const left = terminal.screen.lines.join(' ').replace(/note\d+ /g, '');
    expect(left.trim()).toBe(storyText);
  });

  it('cuts the footer where the terminal becomes narrow', async () => {
    const terminal = new FakeTerminal(20, 6);
    const output = terminalOutput(terminal);
    output.show(display(['one two']));
    expect(output.footer('lag 0.4 s, 12 words')).toBe(true);
    const narrow = new AnsiScreen(10, 6);
    narrow.write('one two\r\nlag 0.4 s, 12 words');
    Object.assign(terminal, { columns: 10, screen: narrow }).emit('resize');
    expect(narrow.lines).toEqual(['one two', 'lag 0.4 s,']);
    output.footer('');
    expect(narrow.lines).toEqual(['one two']);
    await output.close();
  });

  it('lets something else write above the rows', async () => {
    const terminal = new FakeTerminal();
    const output = terminalOutput(terminal);
    output.aside(() => terminal.write('first\r\n'));
    output.show(display(['one', 'two'], 'three'));
    output.aside(() => terminal.write('second\r\n'));
    expect(terminal.screen.lines).toEqual(['first', 'second', 'one', 'two three']);
    output.show(display(['one', 'two four']));
    await output.close();
    output.aside(() => terminal.write('third\r\n'));
    expect(terminal.screen.lines).toEqual(['first', 'second', 'one', 'two four', 'third', '']);
  });

  it('draws no more than the terminal has lines', () => {
    const terminal = new FakeTerminal(20, 2);
    const output = terminalOutput(terminal);
    output.show(display(['a', 'b', 'c']));
    output.show(display(['b', 'c', 'd']));
    expect(terminal.screen.lines).toEqual(['c', 'd']);
  });

  it('keeps full-width characters within the screen', async () => {
    const terminal = new FakeTerminal(9, 6);
    const text = '\u4f60\u597d\u4e16\u754c\u4f60\u597d \u4f60\u597d';
    await play(of(final(text, 0, 1)), terminalOutput(terminal), {}, ({ rows }) => {
      if (rows.length > 0) expect(terminal.screen.lines).toEqual(rows);
    });
    expect(terminal.screen.lines.join('').replace(/ /g, '')).toBe(text.replace(' ', ''));
  });

  it('prints nothing that the terminal would obey', async () => {
    const terminal = new FakeTerminal();
    const evil = { type: 'text', value: 'a\u001b[2Jb\u0007\rc' } as const;
    await play(of({ ...final('x', 0, 1), elements: [evil] }), terminalOutput(terminal));
    expect(terminal.screen.lines).toEqual(['a [2Jb c', '']);
  });

  it('shows an outage', async () => {
    const terminal = new FakeTerminal();
    await play(of(final('One two.', 0, 1)), terminalOutput(terminal), { paused$: of(true, false) });
    expect(terminal.screen.lines).toEqual([PAUSED_NOTICE, 'One two.', '']);
  });
});

describe('terminalOutput on a pipe', () => {
  it('writes each settled line once, and nothing else', async () => {
    const pipe = new Pipe();
    const output = terminalOutput(pipe);
    expect(output.footer('lag 0.4 s')).toBe(false);
    await play(from(captionStory()), output);
    expect(pipe.text.endsWith('\n')).toBe(true);
    expect(pipe.text.trimEnd().split('\n').join(' ')).toBe(storyText);
    for (const line of pipe.text.split('\n')) expect(line.length).toBeLessThan(50);
  });

  it('writes to a terminal as to a pipe by option', async () => {
    const terminal = new FakeTerminal();
    await using output = terminalOutput(terminal, { interactive: false });
    output.show(display(['one'], 'two', ['Zero.']));
    expect(terminal.screen.lines).toEqual(['Zero.', '']);
    expect(terminal.screen.cursorVisible).toBe(true);
  });
});

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

describe('terminalOutput on a pseudo-terminal', () => {
  const program = fileURLToPath(new URL('../../fixtures/captionTerminal.ts', import.meta.url));

  async function run(size: { columns: number; rows: number }, env: NodeJS.ProcessEnv = {}): Promise<string> {
    // Node takes a terminal of a CI for one without colours.
    const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env;
    const command = `stty cols ${size.columns} rows ${size.rows} && exec '${process.execPath}' '${program}'`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...inherited, TERM: 'xterm-256color', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 20_000,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    return output;
  }

  it.for([
    { columns: 80, rows: 24 },
    { columns: 20, rows: 5 },
  ])('leaves the transcript on $columns columns by $rows rows', { tags: 'tools' }, async (size, context) => {
    if (!hasScript) context.skip('needs script of util-linux');
    const output = await run(size);
    const screen = new AnsiScreen(size.columns, size.rows);
    screen.write(output);
    expect(screen.lines.join(' ').trim()).toBe(storyText);
    expect(screen.cursorVisible).toBe(true);
    expect(output).toContain('\u001b[2m');
  });

  it('writes plain lines on a terminal that can do nothing else', { tags: 'tools' }, async context => {
    if (!hasScript) context.skip('needs script of util-linux');
    const output = await run({ columns: 80, rows: 24 }, { TERM: 'dumb' });
    expect(output).not.toContain('\u001b');
    expect(output.trim().split(/\r?\n/).join(' ')).toBe(storyText);
  });
});
