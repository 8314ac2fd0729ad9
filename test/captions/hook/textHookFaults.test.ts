// @module-tag slow
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shellWord } from '../../../src/base/text.ts';
import { checkHook } from '../../../src/captions/hook/textHook.ts';
import { eventually } from '../../helpers/eventually.ts';
import { hooked, nodeProgram, numberedSentences, runHook } from '../../helpers/hookedRun.ts';
import { rawServer } from '../../helpers/loopbackServer.ts';

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hook-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** Returns whether a process has ended, whether or not its parent knows. */
function hasEnded(pid: number): boolean {
  try {
    return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

const sh = (script: string) => `sh -c ${shellWord(script)}`;

describe('a text hook whose program fails', () => {
  it('starts a program again that crashed, with the sentence that it had', async () => {
    const marker = join(await temporaryDirectory(), 'crashed');
    const target = sh(`while read -r line; do
      case $line in *2*) [ -e ${marker} ] || { touch ${marker}; exit 7; } ;; esac
      echo "new: $line"
    done`);
    const { seen, counts } = await runHook(numberedSentences(5), { target });
    expect(seen).toEqual([0, 1, 2, 3, 4].map(index => `new: Sentence ${index}.`));
    expect(counts).toEqual({ answered: 5, givenUp: 0 });
  });

  it('gives up a sentence that crashes it twice, with one note on the reason', async () => {
    const target = sh(`while read -r line; do
      case $line in *1*) echo 'cannot count' >&2; exit 7 ;; esac
      echo "$line"
    done`);
    const { seen, notes, counts } = await runHook(numberedSentences(3), { target });
    expect(seen).toEqual(['Sentence 0.', 'hole', 'Sentence 2.']);
    expect(notes[0]).toBe('Text hook: cannot count');
    expect(notes.filter(note => note.startsWith('The text hook'))).toEqual([
      "The text hook fails: The program 'sh' ended with exit code 7: cannot count.",
      'The text hook works again.',
    ]);
    expect(counts).toEqual({ answered: 2, givenUp: 1 });
  });

  it('reports a bounded number of its messages', async () => {
    const target = sh('for i in $(seq 1000); do echo "message $i" >&2; done; cat');
    const { notes } = await runHook(numberedSentences(1), { target });
    await eventually(() => expect(notes).toHaveLength(20));
  });

  it('never shows a late answer for another sentence', async () => {
    const target = sh('while read -r line; do case $line in *1*) sleep 3.5 ;; esac; echo "$line"; done');
    const { seen, notes } = await runHook(numberedSentences(4), { target, timeoutMs: 3000 });
    expect(seen).toEqual(['Sentence 0.', 'hole', 'Sentence 2.', 'Sentence 3.']);
    expect(notes[0]).toMatch(
      /^The text hook fails: No answer within 3 s\. A program has to write out each line/,
    );
  });

  it('ends a program that writes a line without an end', async () => {
    const target = sh(
      'while read -r line; do case $line in *0*) head -c 9000000 /dev/zero ;; esac; echo "$line"; done',
    );
    const { seen } = await runHook(numberedSentences(2), { target, timeoutMs: 5000 });
    expect(seen).toEqual(['hole', 'Sentence 1.']);
  });

  it('gives up sentences that waited too long', async () => {
    const { seen, counts } = await runHook(numberedSentences(3), { target: 'sleep 600', maxWaitMs: 300 });
    expect(seen).toEqual(['hole', 'hole', 'hole']);
    expect(counts).toMatchObject({ answered: 0, givenUp: 3 });
  });

  it('ends the program and those that it started when it is unsubscribed', async () => {
    const pidFile = join(await temporaryDirectory(), 'pids');
    await writeFile(pidFile, '');
    const target = sh(`trap '' TERM; sleep 600 & echo $! $$ > ${pidFile}; while :; do sleep 1; done`);
    const subscription = hooked(NEVER, { target }).events$.subscribe();
    const pids: number[] = [];
    await eventually(async () => {
      pids.splice(0, 2, ...(await readFile(pidFile, 'utf8')).trim().split(' ').map(Number));
      expect(pids[1]).toBeGreaterThan(0);
    });
    subscription.unsubscribe();
    await eventually(() => expect(pids.every(hasEnded)).toBe(true));
  });

  it('lets the program end by itself at the end of its input', async () => {
    const file = join(await temporaryDirectory(), 'end');
    const target = nodeProgram(`
      import { writeFileSync } from 'node:fs';
      for await (const line of lines) console.log(line);
      writeFileSync('${file}', 'saved');`);
    await runHook(numberedSentences(1), { target });
    expect(await readFile(file, 'utf8')).toBe('saved');
  });

  it('is found by the check', async () => {
    const target = sh('echo "no model" >&2; exit 3');
    await expect(checkHook({ target })).rejects.toThrow("The program 'sh' ended with exit code 3: no model.");
    await expect(checkHook({ target: 'sleep 60', timeoutMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});

describe('a text hook whose address fails', () => {
  it('gives up a sentence when there is no answer, or the connection breaks', async () => {
    const { url } = await rawServer((socket, request) => {
      if (request.includes('Sentence 0')) socket.destroy();
    });
    const { seen, counts } = await runHook(numberedSentences(2), { target: url, timeoutMs: 1000 });
    expect(seen).toEqual(['hole', 'hole']);
    expect(counts).toMatchObject({ givenUp: 2 });
  });

  const answering = async (status: string, body: string, lacking = 0) => {
    const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body) + lacking}`;
    const { url } = await rawServer(socket =>
      socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`),
    );
    return checkHook({ target: url, timeoutMs: 3000 });
  };

  it('reports a status before the body has ended', async () => {
    await expect(answering('503 Busy', 'x', 10)).rejects.toThrow('answered with status 503');
  });

  it('may give 65,536 bytes, however few characters these are', async () => {
    const text = JSON.stringify({ text: 'ä'.repeat(40_000) });
    await expect(answering('200 OK', text)).rejects.toThrow('answered with more than 65536 bytes');
  });

  it('may begin with a byte order mark', async () => {
    await answering('200 OK', '\uFEFF{"text":"one"}');
  });
});
