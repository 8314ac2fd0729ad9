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
  /** True at a cut by the length limit, false at a pause. */
  readonly cut: boolean;
}

/** Length limit of utterances in seconds for each way; `caption` asks for 8 s with outputs of finished captions. */
const WAYS = { stream: 15, 'stream, cut after 8 s': 8, recording: 15 } as const;
type Way = keyof typeof WAYS;

/** Counts the joints with a wrong full stop, and those without any mark, where the text has one. */
export async function jointRows() {
  await using recognizer = createMoonshineRecognizer();
  const rows = [];
  for (const way of Object.keys(WAYS) as Way[]) {
    const joints: Joint[] = [];
    for (const recording of speechRecordings()) {
      const text = Object.entries(READ_TEXTS).find(
        ([name]) => name === basename(recording.path, '.wav'),
      )?.[1];
      if (text) joints.push(...(await jointsOf(recognizer, way, samplesOf(recording), text)));
    }
    const isWrong = ({ written, mark }: Joint) => isEnd(written) && /^,?$/.test(mark);
    const cuts = joints.filter(({ cut }) => cut);
    rows.push({
      way,
      joints: joints.length,
      cuts: cuts.length,
      'full stop within a sentence': joints.filter(isWrong).length,
      'at a cut': cuts.filter(isWrong).length,
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
  way: Way,
  samples: Int16Array,
  text: string,
): Promise<readonly Joint[]> {
  const finals =
    way === 'recording'
      ? await recognizer.recognize(piecesOf(samples, 1600))
      : await streamed(recognizer, samples, WAYS[way]);
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
    const written = last?.type === 'punct' ? last.value : '';
    if (mark !== undefined && after) joints.push({ written, mark, cut: final.cut ?? false });
  }
  return joints;
}

async function streamed(
  recognizer: Recognizer,
  samples: Int16Array,
  maxSegmentSeconds: number,
): Promise<readonly RecognizerResult[]> {
  const finals: RecognizerResult[] = [];
  await using session = await recognizer.open({ maxSegmentSeconds });
  session.results$.subscribe(result => void (result.type === 'final' && finals.push(result)));
  for (const piece of piecesOf(samples, 1600)) await session.write(piece);
  await session.finish();
  return finals;
}

function isEnd(mark: string): boolean {
  return /^[.?!]$/.test(mark);
}
