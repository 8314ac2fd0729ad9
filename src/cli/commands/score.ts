import { refuseIf } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import { MEASURE_PATHS } from '../../replay/measure/measurePaths.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { GATE_OPTIONS, REPORT_OPTIONS, thresholdsOf, WORD_OPTIONS } from '../flags/gateOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';

/** Measures of words; all others need a stream. */
const MEASURES = MEASURE_PATHS.filter(({ path }) => /^(?:wer$|cer$|words\.|keywords\.)/.test(path)).map(
  ({ path }) => path,
);

/** `rxscribe score`, which compares a result with a reference. */
export const scoreCommand = defineCommand({
  name: 'score',
  description: 'compare the words of a result with a reference',
  examples: [
    'rxscribe score talk.txt talk.srt --max-wer 20%',
    'rxscribe score talk.vtt talk.json --report report.html',
  ],
  arguments: [
    ['<ref>', 'what was spoken'],
    ['<hyp>', 'what was recognised'],
  ],
  options: [
    optionGroup('Scores', {
      '--language <code>': { help: 'language of the speech', parse: languageOf, default: 'en' },
      ...WORD_OPTIONS,
    }),
    GATE_OPTIONS,
    optionGroup('Output', { ...REPORT_OPTIONS, '--json': 'print the report as JSON' }),
  ],
  notes: `
Both may be plain text, SubRip, WebVTT, TTML, a transcript of this program as JSON, or a cassette. Their content
decides, not their names. Nothing is streamed, so only words are measured.

Measures that --threshold can limit:
${MEASURES.map(path => `  ${path}`).join('\n')}`,
  exitCodes: `
Exit codes: 0 passed, 2 wrong usage, 3 input cannot be read, 6 a limit was exceeded or words got worse than the baseline,
130 interrupted.`,
  async run({ args: [reference, result], flags, context }) {
    const { keyword: keywords, strict: isStrict, ...more } = flags;
    const thresholds = thresholdsOf(flags);
    const unknown = Object.keys(thresholds).find(path => !MEASURES.includes(path));
    refuseIf(
      unknown,
      `'${unknown}' cannot be measured without a stream. Measures of score: ${MEASURES.join(', ')}.`,
    );
    const { runScore } = await import('../suite/scoreRun.ts');
    await runScore(context, { ...more, keywords, isStrict, thresholds, reference, result, paths: [result] });
  },
});
