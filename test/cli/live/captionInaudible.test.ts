import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { jsonLines, runCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { inaudibleSpeech } from '../../helpers/inaudibleSpeech.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { wav } from '../../helpers/wavBytes.ts';

const directory = sharedDirectory();

async function talk(): Promise<string> {
  const path = join(directory, 'talk.wav');
  await writeFile(path, wav(new Uint8Array(inaudibleSpeech().buffer)));
  return path;
}

describe('captions of speech that nobody understands', () => {
  testRecognizer('say [inaudible] in the terminal, and in WebVTT where it is spoken', async () => {
    const out = join(directory, 'talk.vtt');
    const { code, stdout } = await runCommand(['caption', await talk(), '--speed', 'max', '--out', out]);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/ man\. \[inaudible\] He /);
    const vtt = await readFile(out, 'utf8');
    expect(vtt).toMatch(/^00:00:0[345]\S+ --> .*\n\[inaudible\]$/m);
  });

  testRecognizer('have a kind of its own in the coverage, and no repair', async () => {
    const { stdout } = await runCommand(['caption', await talk(), '--speed', 'max', '--json']);
    const lines = jsonLines(stdout);
    const { coverage } = lines.find(({ type }) => type === 'transcript') as { coverage: { kind: string }[] };
    expect(coverage.map(({ kind }) => kind)).toContain('inaudible');
    expect(coverage.map(({ kind }) => kind)).not.toContain('hole');
    expect(lines.filter(({ type }) => type === 'repair')).toEqual([]);
  });
});
