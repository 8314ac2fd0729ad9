import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tokenizer from 'llama-tokenizer-js';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { decodeUtterance } from '../../../src/engines/moonshine/decodeUtterance.ts';
import { loadMoonshine } from '../../../src/engines/moonshine/loadMoonshine.ts';
import { createNativeRuntime } from '../../../src/engines/moonshine/nativeRuntime.ts';
import { VOCABULARY_SIZE, wordsIn } from '../../../src/engines/moonshine/tokens.ts';
import { findNativeLibrary } from '../../../src/engines/native/nativeLibrary.ts';
import { loadSherpaOnnx } from '../../../src/engines/sherpa/loadSherpaOnnx.ts';
import { embeddedFiles } from '../../engines/moonshine/embeddedFiles.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';
import { rounded } from '../parts/rounded.ts';
import { percentOf, scoreByRules, tallyErrors } from '../parts/scoredText.ts';
import { speechSpansOf } from './parts/speechSpansOf.ts';

/** Silence after an utterance, as the recogniser adds it. */
const END_FRAMES = 3200;

/** Returns the text of one utterance. */
type Hear = (samples: Int16Array) => string | Promise<string>;

/** Compares the processor time and the word errors of programs that run the same files on the same utterances, once each. */
export async function run(): Promise<void> {
  const ways: Readonly<Record<string, Hear>> = {
    'sherpa-onnx-node, greedy': await sherpa(),
    ...(await ours()),
  };
  const recordings = await Promise.all(
    speechRecordings().map(async recording => {
      const samples = samplesOf(recording);
      const spans = await speechSpansOf(samples);
      return { ...recording, utterances: spans.map(span => samples.slice(span.startFrame, span.endFrame)) };
    }),
  );
  const all = recordings.flatMap(({ utterances }) => utterances);
  const seconds = all.reduce((sum, { length }) => sum + length, 0) / 16_000;
  const rows = [];
  let first: number | undefined;
  for (const [name, hear] of Object.entries(ways)) {
    await hear(all[0]!); // what is made ready once
    const scores: ReturnType<typeof scoreByRules>[] = [];
    const cost = await cpuSecondsOf(async () => {
      for (const { utterances, reference } of recordings) {
        const texts: string[] = [];
        for (const samples of utterances) texts.push(await hear(samples));
        scores.push(scoreByRules(reference, texts));
      }
    });
    first ??= cost;
    rows.push({
      program: name,
      'processor, s / s': rounded(cost / seconds),
      'to the first': rounded(cost / first),
      'errors, %': percentOf(tallyErrors(scores)),
    });
  }
  console.table(rows);
}

async function sherpa(): Promise<Hear> {
  const { OfflineRecognizer } = await loadSherpaOnnx();
  const { encoder, decoder } = await embeddedFiles('tiny');
  const tokens = join(await mkdtemp(join(tmpdir(), 'rxscribe-peers-')), 'tokens.txt');
  await writeFile(
    tokens,
    Array.from({ length: VOCABULARY_SIZE }, (_, id) => `${encoded(id)} ${id}\n`).join(''),
  );
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      ...{ moonshine: { encoder, mergedDecoder: decoder }, tokens },
      ...{ numThreads: 1, provider: 'cpu', debug: 0 },
    },
  } as never);
  return async samples => {
    const stream = recognizer.createStream();
    const audio = new Float32Array(samples.length + END_FRAMES);
    audio.set(toFloats(samples));
    stream.acceptWaveform({ sampleRate: 16_000, samples: audio });
    return (await recognizer.decodeAsync(stream)).text;
  };
}

/** Returns a token as sherpa-onnx wants it: its bytes in Base64. */
function encoded(id: number): string {
  const piece: string = tokenizer.vocabById[id] ?? `<${id}>`;
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece);
  const bytes = byte ? [Number.parseInt(byte[1]!, 16)] : [...Buffer.from(piece.replaceAll('▁', ' '))];
  return Buffer.from(bytes).toString('base64');
}

async function ours(): Promise<Readonly<Record<string, Hear>>> {
  const model = await loadMoonshine(createNativeRuntime(findNativeLibrary()!), await embeddedFiles('tiny'));
  const by =
    (beams: number): Hear =>
    async samples => {
      const { hypothesis } = await decodeUtterance(model, { samples, start: 0 }, { beams });
      const words = wordsIn(hypothesis.tokens);
      return words.map(({ text }) => text).join(' ');
    };
  return { 'this project, greedy': by(1), 'this project, two hypotheses': by(2) };
}
