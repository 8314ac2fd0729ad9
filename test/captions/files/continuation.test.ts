import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { continueFiles } from '../../../src/captions/files/continuation.ts';
import { continued } from '../../../src/captions/files/continuedText.ts';
import { TRANSCRIPT_ENDINGS } from '../../../src/captions/files/transcriptEnding.ts';
import { transcriptAs } from '../../../src/captions/files/transcriptText.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { transcript } from '../../helpers/transcriptArbitraries.ts';

describe('continued files', () => {
  test.each(TRANSCRIPT_ENDINGS)('%s, once written, can be continued any number of times', ending => {
    fc.assert(
      fc.property(fc.array(transcript, { minLength: 1, maxLength: 3 }), runs => {
        let text = transcriptAs(ending, runs[0]!);
        let endTs = 0;
        for (const run of runs.slice(1)) {
          const before = continued(ending, text)!;
          expect(before.endTs).toBeGreaterThanOrEqual(endTs - 0.02);
          endTs = before.endTs;
          const next = before.textWith(run, endTs, {});
          if (ending !== '.json' && ending !== '.ttml') expect(next.startsWith(text)).toBe(true);
          text = next;
        }
        expect(continued(ending, text)).toBeDefined();
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ['.srt', 'Hello there.\n', 'as SRT, line 1: the cue has no timing'],
    ['.vtt', '1\n00:00:01,000 --> 00:00:02,000\na\n', 'as WebVTT, line 1: the file must begin with WEBVTT'],
    ['.ttml', '<tt xmlns="http://www.w3.org/ns/ttml"/>', 'it is not a complete .ttml file of a transcript'],
    ['.scc', 'Scenarist_SCC V1.0\n\n00:00:01', 'it is not a complete .scc file of a transcript'],
    ['.txt', 'Dear diary,\n', 'it is not a complete .txt file of a transcript'],
    ['.json', '{"monologues":[', 'it is not a complete .json file of a transcript'],
    ['.json', '[]', 'it is not a complete .json file of a transcript'],
    ['.jsonl', '{"a":1}\n', 'it is not a complete .jsonl file of a transcript'],
    ['.srt', Buffer.from([0xff, 0xfe, 0x31]), 'it is not text in UTF-8'],
  ])('refuses another %s before anything, naming the file', async (ending, content, reason) => {
    const path = join(await temporaryDirectory(), `talk${ending}`);
    await writeFile(path, content);
    expect(() => continueFiles([path], Date.now())).toThrow(
      `Cannot continue '${path}': ${reason}. Choose another name, or add --overwrite in place of --continue.`,
    );
    expect(await readFile(path)).toEqual(Buffer.from(content));
  });

  test('refuses a file that is too large', async () => {
    const path = join(await temporaryDirectory(), 'talk.srt');
    await writeFile(path, '1\n');
    await truncate(path, 64 * 1024 * 1024 + 1);
    expect(() => continueFiles([path], Date.now())).toThrow('it is larger than 64 MiB');
  });

  test('cuts off a torn last line of JSON Lines, and keeps a whole one', () => {
    const run = {
      monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'b', ts: 0, endTs: 1 }] }],
    } as const;
    const line = transcriptAs('.jsonl', run);
    for (const torn of [line.slice(0, -2), '{', '']) {
      expect(continued('.jsonl', line + torn)!.textWith(run, 0, {})).toBe(line + line);
    }
    expect(continued('.jsonl', line.trimEnd())!.textWith(run, 0, {})).toBe(line + line);
  });

  test('paragraphs go on, and a speaker is named only where another one speaks', () => {
    const elements = [{ type: 'text', value: 'yes', ts: 0, endTs: 1 }] as const;
    const run = (speaker: number) => ({ monologues: [{ speaker, elements }] });
    const first = transcriptAs('.txt', run(0), { paragraphs: true });
    expect(first).toBe('00:00:00    yes\n');
    const second = continued('.txt', first)!.textWith(run(0), 60, {});
    expect(second).toBe('00:00:00    yes\n\n00:01:00    yes\n');
    const third = continued('.txt', second)!.textWith(run(1), 90, {});
    expect(third).toBe(`${second}\nSpeaker 1    00:01:30    yes\n`);
    expect(continued('.txt', 'Speaker 0    00:00:00    yes')!.textWith(run(0), 90, {})).toBe(
      'Speaker 0    00:00:00    yes\n\n00:01:30    yes\n',
    );
  });
});
