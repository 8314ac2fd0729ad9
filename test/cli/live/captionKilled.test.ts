// @module-tag slow

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonLines, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { speechFile } from '../../helpers/keptService.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

/** 30 s of words, each another one, with a pause after every six. */
const LEVELS = Array.from({ length: 300 }, (_, window) => (window % 9 < 6 ? window + 1 : 0));
const SAID = LEVELS.flatMap((level, at) => (level > 0 ? [{ value: `w${level}`, ts: at / 10 }] : []));
const SERVICE = { token: TEST_TOKEN, logLevel: 'silent' } as const;

describe('caption --fallback async', { timeout: 300_000 }, () => {
  test('has all words after its service was killed and came back too late', async () => {
    const directory = await temporaryDirectory();
    const [audio, spool] = [join(directory, 'talk.wav'), join(directory, 'talk.spool')];
    await writeFile(audio, speechFile(LEVELS));
    const service = await startServiceProcess(SERVICE);
    const how = ['--json', '--speed', '5', '--skip-postprocessing', '--fallback', 'async'];
    const where = ['--url', service.url, '--token', TEST_TOKEN, '--give-up-after', '2', '--spool', spool];
    await using running = startCommand(['caption', audio, ...how, ...where]);
    await running.line(/"type":"final"/);
    const gaveUp = running.line(/"status":"fallback"/);
    const waits = running.line(/"status":"repair-delayed"/);
    await service.end('SIGKILL');
    await Promise.all([gaveUp, waits]);
    await startServiceProcess({ ...SERVICE, port: Number(new URL(service.url).port) });
    const { code, stdout, stderr } = await running.done;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = jsonLines(stdout);
    const { transcript, coverage } = lines.at(-1);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const elements: any[] = transcript.monologues.flatMap((turn: any) => turn.elements);
    const words = elements.flatMap(({ type, value, ts }) => (type === 'text' ? [{ value, ts }] : []));
    expect(words).toEqual(SAID);
    // Silence that the first service has read has no provenance.
    const finals = coverage.filter(({ kind }: { kind: string }) => kind !== 'silence');
    const provenances = finals.map(({ provenance }: { provenance?: string }) => provenance);
    expect(new Set(provenances)).toEqual(new Set(['live', 'repaired']));
    expect(lines.find(({ type }) => type === 'hole')).toMatchObject({ cause: 'gave-up' });
    expect(existsSync(spool)).toBe(false);
  });
});
