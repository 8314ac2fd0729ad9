/** The process that holds a Whisper model for languages, so that a broken model ends only this process. */
import { toFloats } from '../../audio/pcm/pcm.ts';
import { serveWork } from '../process/serveWork.ts';
import { loadSherpaOnnx } from './loadSherpaOnnx.ts';
import { SAMPLE_RATE } from './tasks.ts';

/** Files of a model. */
export interface LanguageSetup {
  readonly encoder: string;
  readonly decoder: string;
}

export interface LanguageMethods {
  /** Returns Whisper's code of the language of up to 30 s of audio at 16 kHz; empty when the model cannot be run. */
  identify(audio: Int16Array): string;
}

serveWork<LanguageSetup, LanguageMethods>(async whisper => {
  const { SpokenLanguageIdentification } = await loadSherpaOnnx();
  const identification = new SpokenLanguageIdentification({ whisper, numThreads: 1 });
  return () => ({
    identify(audio) {
      const stream = identification.createStream();
      stream.acceptWaveform({ samples: toFloats(audio), sampleRate: SAMPLE_RATE });
      return identification.compute(stream);
    },
  });
});
