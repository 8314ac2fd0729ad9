/** Marks at the pauses between the utterances of read texts. */
import { basename } from 'node:path';
import { createMoonshineRecognizer } from '../../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../../src/engines/recognizer.ts';
import { createPostProcessor } from '../../../../src/engines/text/postprocess.ts';
import { pairWords } from '../../../../src/transcript/text/pairWords.ts';
import { piecesOf } from '../../../helpers/cutAudio.ts';
import { markedWords } from '../../../helpers/markedWords.ts';
import { samplesOf, speechRecordings } from '../../../helpers/speechRecordings.ts';
import READ_TEXTS from './readTexts.json' with { type: 'json' };

/** The last element of an utterance, and the mark of the text there. */
interface Joint {
  readonly written: string;
  readonly mark: string;
}

/** Counts the joints with a wrong full stop, and those without any mark, where the text has one. */
export async function jointRows() {
  await using recognizer = createMoonshineRecognizer();
  const rows = [];
  for (const way of ['stream', 'recording'] as const) {
    const joints: Joint[] = [];
    for (const recording of speechRecordings()) {
      const text = Object.entries(READ_TEXTS).find(
        ([name]) => name === basename(recording.path, '.wav'),
      )?.[1];
      if (text) joints.push(...(await jointsOf(recognizer, way, samplesOf(recording), text)));
    }
    rows.push({
      way,
      joints: joints.length,
      'full stop within a sentence': joints.filter(({ written, mark }) => isEnd(written) && /^,?$/.test(mark))
        .length,
      'no mark at one of the text': joints.filter(({ written, mark }) => written === '' && mark !== '')
        .length,
      'comma at the end of a sentence': joints.filter(({ written, mark }) => written === ',' && isEnd(mark))
        .length,
    });
  }
  return rows;
}

async function jointsOf(
  recognizer: Recognizer,
  way: 'stream' | 'recording',
  samples: Int16Array,
  text: string,
): Promise<readonly Joint[]> {
  const finals =
    way === 'recording'
      ? await recognizer.recognize(piecesOf(samples, 1600))
      : await streamed(recognizer, samples);
  const reference = markedWords(text);
  const spoken = finals.flatMap(({ words }) => words.map(({ value }) => value));
  const pairs = pairWords(
    reference.map(({ value }) => value),
    spoken,
  );
  const post = createPostProcessor({ sampleRate: 16_000 });
  const joints: Joint[] = [];
  let state = post.start;
  let at = -1;
  for (const [index, final] of finals.entries()) {
    const after = finals[index + 1]?.words;
    const step = await post.final(state, final, way === 'recording' ? { after } : {});
    state = step.state;
    at += final.words.length;
    const place = pairs.find(({ right }) => right === at);
    const mark = place && reference[place.left]?.mark;
    const last = step.elements.at(-1);
    if (mark !== undefined && after) joints.push({ written: last?.type === 'punct' ? last.value : '', mark });
  }
  return joints;
}

async function streamed(recognizer: Recognizer, samples: Int16Array): Promise<readonly RecognizerResult[]> {
  const finals: RecognizerResult[] = [];
  await using session = await recognizer.open();
  session.results$.subscribe(result => void (result.type === 'final' && finals.push(result)));
  for (const piece of piecesOf(samples, 1600)) await session.write(piece);
  await session.finish();
  return finals;
}

function isEnd(mark: string): boolean {
  return /^[.?!]$/.test(mark);
}
