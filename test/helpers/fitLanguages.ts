import {
  type LanguageCalibration,
  rankLanguages,
  type SpeechMeasurements,
} from '../../src/engines/languages/rankLanguages.ts';

/** The language identified in a clip, and the one that is spoken. */
export interface HeardClip extends SpeechMeasurements {
  readonly language: string;
}

/**
 * Offsets, temperature and the even confidence of English that make what is spoken likeliest, all languages counting
 * alike; the rest is as it was.
 * Coordinate ascent: steps get finer where none helps.
 */
export function fitLanguages(clips: readonly HeardClip[], start: LanguageCalibration): LanguageCalibration {
  const languages = Object.keys(start.offsets);
  let best = start;
  let likelihood = likelihoodOf(clips, best);
  for (let step = 4; step > 0.01; ) {
    const nearby = [
      ...languages.flatMap(language =>
        [step, -step].map(by => ({
          ...best,
          offsets: { ...best.offsets, [language]: best.offsets[language]! + by },
        })),
      ),
      ...[step, -step].map(by => ({ ...best, temperature: best.temperature * Math.exp(by / 4) })),
      ...[step, -step].map(by => ({
        ...best,
        evidence: { ...best.evidence, en: { ...best.evidence.en!, even: best.evidence.en!.even + by / 40 } },
      })),
    ];
    const tried = nearby.map(calibration => ({ calibration, likelihood: likelihoodOf(clips, calibration) }));
    const [top] = tried.toSorted((one, other) => other.likelihood - one.likelihood);
    if (top!.likelihood > likelihood + 1e-6) ({ calibration: best, likelihood } = top!);
    else step /= 2;
  }
  return best;
}

/** Mean over languages of the mean log likelihood of the spoken language, for clips with a decision. */
function likelihoodOf(clips: readonly HeardClip[], calibration: LanguageCalibration): number {
  // Offsets do not change which clips have a decision.
  const certain = { ...calibration, halfSeconds: 0, wordRate: { none: -1, all: 0 } };
  const languages = [...new Set(clips.map(({ language }) => language))];
  const means = languages.map(spoken => {
    const own = clips.filter(({ language }) => language === spoken);
    const logs = own.map(clip => {
      const ranked = rankLanguages(clip, certain);
      const { confidence = 0 } = ranked.find(({ language }) => language === spoken) ?? {};
      return Math.log(Math.max(confidence, 1e-9));
    });
    return logs.reduce((sum, log) => sum + log, 0) / logs.length;
  });
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
