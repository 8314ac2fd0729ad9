import { createReplayStore } from '../../src/client/spool/createReplayStore.ts';
import { chunkAt } from './replayModel.ts';

/**
 * A program whose files may not be large: it fills a store until that has no room, releases half, and goes on. It
 * prints the outcome.
 */
const store = createReplayStore({
  ...{ format: { sampleFormat: 'S16LE', sampleRate: 1000, channels: 1 }, memorySeconds: 1 },
  directory: process.argv[2]!,
});
const fill = () => {
  for (;;) store.append(chunkAt(store.headFrame, 100));
};
const failure = () => {
  try {
    return fill();
  } catch (error) {
    return error as { code: string; message: string };
  }
};
const isWhole = (from: number) => {
  const wanted = chunkAt(from, store.headFrame - from);
  return Buffer.compare(store.read(from, 1e9)?.bytes ?? Buffer.of(), wanted.bytes) === 0;
};
const { code, message } = failure()!;
const fullFrame = store.headFrame;
const isWholeWhenFull = isWhole(0);
store.release(fullFrame / 2);
failure();
process.stdout.write(
  JSON.stringify({
    ...{ code, message, fullFrame, isWholeWhenFull, headFrame: store.headFrame },
    isWholeInTheEnd: isWhole(Math.ceil(fullFrame / 2)),
  }),
);
