/** Uses that a model can have. */
export const MODEL_ROLES = [
  'recognizer',
  'languageIdentifier',
  'diarizer',
  'punctuator',
  'sentimentAnalyzer',
  'voiceDetector',
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];
