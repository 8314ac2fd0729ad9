import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAudioFile } from '../../../src/engines/alignment/audioFile.ts';

test('written samples are read again, however they were cut, as far as they exist', () => {
  const cuts = fc.array(fc.int16Array({ maxLength: 50 }), { maxLength: 10 });
  fc.assert(
    fc.property(cuts, fc.nat(600), fc.nat(600), (pieces, from, length) => {
      using file = createAudioFile();
      for (const piece of pieces) file.write(piece);
      const all = pieces.flatMap(piece => [...piece]);
      expect([...file.read(from, from + length)]).toEqual(all.slice(from, from + length));
    }),
  );
});
