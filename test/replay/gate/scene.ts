import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunResult, runCommand } from '../../helpers/commandLine.ts';
import { suiteFolder } from '../suite/suiteFolder.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url);
const NAME = 'sense-and-sensibility';

export interface Element {
  readonly type: string;
  readonly value: string;
  readonly ts?: number;
  readonly end_ts?: number;
}

export interface Line {
  readonly type: string;
  readonly ms?: number;
  readonly message?: { readonly type: string; readonly elements?: readonly Element[] };
  readonly [name: string]: unknown;
}

/** A suite of one cassette, with the flags of its replay. */
export interface Scene {
  /** Lines of the cassette. */
  readonly lines: readonly Line[];
  /** Text of the cassette, when it is not that of the lines. */
  readonly text?: string;
  readonly audio: Buffer | undefined;
  readonly reference: string;
  /** Settings of the suite, in YAML, before its case. */
  readonly suite: string;
  /** Settings of the case, in YAML, besides cassette and reference. */
  readonly settings: string;
  readonly flags: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** More files beside the suite. */
  readonly files?: Readonly<Record<string, string>>;
}

export type Change = (scene: Scene) => Partial<Scene>;

/** Returns the untouched scene, in which the gate is green. */
export async function untouched(): Promise<Scene> {
  const text = await readFile(new URL(`${NAME}.cassette.jsonl`, SAMPLES), 'utf8');
  return {
    lines: text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Line),
    audio: await readFile(new URL(`${NAME}.wav`, SAMPLES)),
    reference: await readFile(new URL(`${NAME}.txt`, SAMPLES), 'utf8'),
    suite: 'thresholds: { wer: 5%, coverage: 99%, reconnects: 0, delay.final.p95: 2 }',
    settings: 'keywords: [Dashwood], thresholds: { keywords.recall: 100% }',
    flags: [],
  };
}

/** Runs the gate after a change, with the baseline of the untouched scene when one is asked for. */
export async function judged(change: Change, hasBaseline: boolean): Promise<RunResult> {
  const scene = await untouched();
  const changed = { ...scene, ...change(scene) };
  if (!hasBaseline) return replay(changed);
  baseline ??= baselineOf(scene);
  const baselinePath = join(await suiteFolder({ 'baseline.json': await baseline }), 'baseline.json');
  return replay({ ...changed, flags: ['--baseline', baselinePath, ...changed.flags] });
}

let baseline: Promise<string> | undefined;

/** Returns the baseline of a scene, which has to be green. */
async function baselineOf(scene: Scene): Promise<string> {
  const path = join(await suiteFolder({}), 'baseline.json');
  const { code, stdout, stderr } = await replay({ ...scene, flags: ['--baseline', path, '--update'] });
  if (code !== 0) throw new Error(`The untouched scene is not green: ${stdout}${stderr}`);
  return readFile(path, 'utf8');
}

async function replay(scene: Scene): Promise<RunResult> {
  const { lines, text, audio, reference, suite, settings, flags, files, env } = scene;
  const directory = await suiteFolder({
    'suite.yaml': `${suite}\ncases:\n  - { cassette: talk.cassette.jsonl, reference: talk.txt, ${settings} }\n`,
    'talk.cassette.jsonl': text ?? lines.map(line => `${JSON.stringify(line)}\n`).join(''),
    'talk.txt': reference,
    ...(audio && { [`${NAME}.wav`]: audio }),
    ...files,
  });
  const placed = flags.map(flag => flag.replaceAll('DIR', directory));
  return runCommand(['replay', join(directory, 'suite.yaml'), ...placed], env && { env });
}

export const isFinal = ({ message }: Line) => message?.type === 'final';
export const isPartial = ({ message }: Line) => message?.type === 'partial';

/** Changes the line of a number among those that match. */
export function line(
  is: (line: Line) => boolean,
  which: number,
  to: (line: Line) => Line | readonly Line[],
): Change {
  return ({ lines }) => {
    const chosen = lines.filter(is).at(which);
    return { lines: lines.flatMap(each => (each === chosen ? to(each) : each)) };
  };
}

/** Changes the message of all lines that match. */
export function messages(is: (line: Line) => boolean, changes: object): Change {
  return ({ lines }) => ({
    lines: lines.map(each => (is(each) ? { ...each, message: { ...each.message!, ...changes } } : each)),
  });
}

/** Changes the text elements of the final of a number. */
export function words(which: number, to: (elements: readonly Element[]) => readonly Element[]): Change {
  return line(isFinal, which, each => ({
    ...each,
    message: { ...each.message!, elements: to(each.message!.elements!) },
  }));
}

/** Replaces a word of the results. */
export function word(from: string, to: string): Change {
  return ({ lines }) => ({
    lines: lines.map(each =>
      isFinal(each) ? (JSON.parse(JSON.stringify(each).replace(`"${from}"`, `"${to}"`)) as Line) : each,
    ),
  });
}
