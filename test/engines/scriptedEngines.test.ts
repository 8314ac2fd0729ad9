import { createScriptedAligner } from '../helpers/scriptedAligner.ts';
import { createScriptedDiarizer } from '../helpers/scriptedDiarizer.ts';
import { createScriptedLanguageIdentifier } from '../helpers/scriptedLanguageIdentifier.ts';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { createScriptedSentimentAnalyzer } from '../helpers/scriptedSentimentAnalyzer.ts';
import { alignerContract } from './alignerContract.ts';
import { diarizerContract } from './diarizerContract.ts';
import { languageIdentifierContract } from './languageIdentifierContract.ts';
import { sentimentAnalyzerContract } from './sentimentAnalyzerContract.ts';

alignerContract('the scripted one', {
  create: createScriptedAligner,
  speech: () => scriptedSpeech([0, 4, 7, 0, 0, 0, 9, 2, 0]),
  words: ['w4', 'w7', 'nothing', 'w9', 'w2'],
});

diarizerContract('the scripted one', {
  create: createScriptedDiarizer,
  speech: () => scriptedSpeech([0, 104, 107, 0, 9, 2, 0, 130]),
});

languageIdentifierContract('the scripted one', {
  create: createScriptedLanguageIdentifier,
  speech: () => scriptedSpeech([0, 2, 2, 12, 21, 5, 0, 3]),
  language: 'de',
});

sentimentAnalyzerContract('the scripted one', {
  create: createScriptedSentimentAnalyzer,
  positive: 'It was a good day.',
  negative: 'It was a bad day.',
});
