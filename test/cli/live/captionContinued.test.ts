// @module-tag slow

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TRANSCRIPT_ENDINGS, type TranscriptEnding } from '../../../src/captions/files/transcriptEnding.ts';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { connectedMessage, finalMessage, startStreamService } from '../../helpers/streamService.ts';
import { transcriptFileText } from '../../helpers/transcriptFileText.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
const ROUNDS = 3;
/** Seconds of audio of each final, at twice the speed: like the captions of speech, fewer than files are written. */
const FINAL_SECONDS = 6;
const BYTES_PER_SECOND = 32_000;

/** A service whose sessions say `r1n1.`, `r1n2.` and so on, then `r2n1.` in the next one. */
function countingService() {
  let round = 0;
  return startStreamService(peer => {
    round++;
    const session = round;
    let bytes = 0;
    let count = 0;
    peer.say(connectedMessage);
    peer.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      bytes += data.length;
      while (bytes >= (count + 1) * FINAL_SECONDS * BYTES_PER_SECOND) {
        const ts = count * FINAL_SECONDS;
        count++;
        peer.say(finalMessage(`r${session}n${count}.`, ts + 0.2, ts + 1.8));
      }
    });
  });
}

const wordsIn = (text: string) => text.match(/r\d+n\d+/g) ?? [];

test('files go on after kill -9, valid at every moment, with at most one caption missing', {
  timeout: 120_000,
}, async () => {
  await using service = await countingService();
  const directory = await temporaryDirectory();
  const path = (ending: TranscriptEnding) => join(directory, `talk${ending}`);
  const out = TRANSCRIPT_ENDINGS.flatMap(ending => ['--out', path(ending)]);
  const args = ['caption', SAMPLE, '--json', '--speed', '2', '--continue', ...out, ...service.args];
  const heard: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await using running = startProcess(args);
    await running.line(new RegExp(`"r${round}n2\\."`));
    await setTimeout(Math.random() * 2000);
    running.process.kill('SIGKILL');
    const { stdout } = await running.done;
    heard.push(
      new Set(
        wordsIn(
          stdout
            .split('\n')
            .filter(line => line.includes('"final"'))
            .join('\n'),
        ),
      ).size,
    );
    for (const ending of TRANSCRIPT_ENDINGS) {
      const words = wordsIn(await transcriptFileText(ending, await readFile(path(ending), 'utf8')));
      let at = 0;
      for (const [index, count] of heard.entries()) {
        const found = words.slice(at).findIndex(word => !word.startsWith(`r${index + 1}n`));
        const own = found < 0 ? words.slice(at) : words.slice(at, at + found);
        at += own.length;
        expect(own).toEqual(own.map((_, nth) => `r${index + 1}n${nth + 1}`));
        expect(own.length, `${ending} of round ${index + 1}`).toBeGreaterThanOrEqual(count - 1);
      }
      expect(at).toBe(words.length);
    }
    const cues = readSrt(await readFile(path('.srt'), 'utf8'));
    for (const [index, cue] of cues.slice(1).entries())
      expect(cue.ts).toBeGreaterThanOrEqual(cues[index]!.endTs);
  }
});
