import { refuseIf } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import { MEASURE_PATHS } from '../../replay/measure/measurePaths.ts';
import { SUITE_DEFAULTS } from '../../replay/suite/suite.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { GATE_OPTIONS, REPORT_OPTIONS, thresholdsOf, WORD_OPTIONS } from '../flags/gateOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { ALIGNMENT } from '../flags/optionValues.ts';

/** Measures of words; all others need a stream. */
const MEASURES = MEASURE_PATHS.filter(({ path }) =>
  /^(?:wer$|cer$|words\.|keywords\.|withText$|perfect$)/.test(path),
).map(({ path }) => path);

/** `rxscribe score`, which compares a result with a reference. */
export const scoreCommand = defineCommand({
  name: 'score',
  description: 'compare the words of a result, of any service, with a reference',
  examples: [
    'rxscribe score talk.txt talk.srt --max-wer 20%',
    'rxscribe score talk.stm deepgram.json --report report.html',
  ],
  arguments: [
    ['<ref>', 'what was spoken'],
    ['<hyp>', 'what a service recognised'],
  ],
  options: [
    optionGroup('Scores', {
      '--language <code>': { help: 'language of the speech', parse: languageOf, default: 'en' },
      ...WORD_OPTIONS,
      '--alignment <rule>': { ...ALIGNMENT, otherwise: SUITE_DEFAULTS.alignment },
    }),
    GATE_OPTIONS,
    optionGroup('Output', { ...REPORT_OPTIONS, '--json': 'print the report as JSON' }),
  ],
  notes: `
Both may be plain text, .srt, .vtt, .stm, .ctm, a transcript of this program as .json, a cassette, or a result or a log of
messages (JSON Lines) of Deepgram, AssemblyAI or Azure. Nothing is streamed, so only words are measured.

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
