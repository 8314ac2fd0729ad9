import { basename } from 'node:path';
import { RxscribeError } from '../base/errors.ts';
import { loadLocal } from './loadLocal.ts';
import type { Provided } from './provided.ts';

/** Loads what commands need of the service and of cassettes. */
export const PROVIDED: Provided = {
  async embeddedService(io, options) {
    const { embeddedService } = await loadLocal('embeddedService');
    return embeddedService(io, options);
  },
  async englishPhrases(text) {
    const { englishPhrases } = await loadLocal('englishPhrases');
    return englishPhrases(text);
  },
  async recorder() {
    const { record } = await import('../replay/cassette/record/record.ts');
    return record;
  },
  async cassetteAudio(path) {
    const [{ readCassette }, { audioFileNames }] = await Promise.all([
      import('../replay/cassette/read/readCassette.ts'),
      import('../replay/cassette/audioNames.ts'),
    ]);
    const { audio, end } = await readCassette(path);
    if (!audio) {
      throw new RxscribeError('audio-missing', `Cannot transcribe '${path}': the cassette has no audio.`);
    }
    const container = end?.audio?.container ?? 'wav';
    return { data: audio.bytes(), name: basename(audio.path ?? audioFileNames(path)[container]) };
  },
};
