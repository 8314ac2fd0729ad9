/** The process that holds a Whisper model. What a broken model does to it ends this process only. */
import { serveInference } from './serveInference.ts';
import { loadWhisperLanguages } from './whisperLanguages.ts';

serveInference(loadWhisperLanguages);
