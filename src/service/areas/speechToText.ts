import { SPEECH_TO_TEXT_PREFIX } from '../../protocol/paths.ts';
import type { Area } from './area.ts';

/** Asynchronous and streaming speech-to-text. */
export const speechToText: Area = { prefix: SPEECH_TO_TEXT_PREFIX, doneWord: 'transcribed' };
