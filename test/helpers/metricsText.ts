/** A sample of a metric: its name, its labels and its value. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/**
 * Reads the text format of Prometheus, version 0.0.4, without what is not used here: histograms, summaries and times.
 *
 * @throws Error for a line that is not of the format, or a sample without help and type before it
 */
export function readMetrics(text: string): readonly MetricSample[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const samples: MetricSample[] = [];
  const seen = new Set<string>();
  const comments: Record<'HELP' | 'TYPE', string[]> = { HELP: [], TYPE: [] };
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, of, rest] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP' || kind === 'TYPE') {
      if (comments[kind].includes(of!)) throw new Error(`A second ${kind} of ${of}.`);
      if (kind === 'TYPE' && rest !== 'counter' && rest !== 'gauge') throw new Error(`Unknown type: ${line}`);
      if (kind === 'TYPE' && (rest === 'counter') !== of!.endsWith('_total'))
        throw new Error(`A name that does not fit its type: ${line}`);
      comments[kind].push(of!);
      continue;
    }
    const [, name, labelText = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`No sample: ${line}`);
    if (comments.HELP.at(-1) !== name || comments.TYPE.at(-1) !== name)
      throw new Error(`No help and type before: ${line}`);
    const key = `${name}{${labelText}}`;
    if (seen.has(key)) throw new Error(`A sample twice: ${line}`);
    seen.add(key);
    samples.push({ name, labels: readLabels(labelText), value: Number(value) });
  }
  return samples;
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex;
    const match = LABEL.exec(text);
    if (!match) throw new Error(`No labels from character ${at} on: ${text}`);
    labels[match[1]!] = match[2]!.replace(/\\(.)/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped,
    );
  }
  return labels;
}
