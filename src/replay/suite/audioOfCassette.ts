import { open } from 'node:fs/promises';

/** The last line has the name; the first ones have it where the recording was cut off. */
const ENDS_BYTES = 16_384;

/** The name of the audio file beside a cassette; undefined where it lies inside, or there is none. */
export async function audioOfCassette(path: string): Promise<string | undefined> {
  await using file = await open(path);
  const { size } = await file.stat();
  const read = async (position: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ENDS_BYTES), 0, ENDS_BYTES, position);
    return buffer.toString('utf8', 0, bytesRead).split('\n');
  };
  const last = await read(Math.max(0, size - ENDS_BYTES));
  const first = await read(0);
  return last
    .reverse()
    .concat(first)
    .map(fileOn)
    .find(name => name !== undefined);
}

function fileOn(line: string): string | undefined {
  if (!/"type"\s*:\s*"(end|audio)"/.test(line)) return undefined;
  try {
    const { audio, file = audio?.file } = JSON.parse(line) as { audio?: { file?: unknown }; file?: unknown };
    return typeof file === 'string' ? file : undefined;
  } catch {
    // Half of a line.
    return undefined;
  }
}
