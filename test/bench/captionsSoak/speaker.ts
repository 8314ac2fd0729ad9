import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { readSampleText } from '../../helpers/sampleSpeech.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
const SAMPLE_SECONDS = 27.73;
const WORDS = readSampleText('sense-and-sensibility');
/** Milliseconds until a sender without a receiver tries again. */
const RETRY_MS = 300;

/** A sample that is said again and again over SRT, from its beginning after each loss of the receiver. */
export interface Speaker extends AsyncDisposable {
  /** Words said so far; words that were cut count as said. */
  readonly said: readonly string[];
  /** Stops the sender, as if its cable had been pulled, for some time. */
  interrupt(ms: number): Promise<void>;
  /** Stops the sender. */
  stop(): Promise<void>;
}

/** Starts to send to an SRT address with a listener. */
export function startSpeaker(address: string): Speaker {
  const said: string[] = [];
  const send = () => {
    const codec = ['-c:a', 'aac', '-b:a', '128k', '-f', 'mpegts', `${address}?mode=caller`];
    const input = ['-re', '-stream_loop', '-1', '-i', SAMPLE];
    const options = ['-nostdin', '-loglevel', 'quiet', '-progress', 'pipe:1', '-stats_period', '0.2'];
    const child = spawn('ffmpeg', [...options, ...input, ...codec], { stdio: ['ignore', 'pipe', 'ignore'] });
    let seconds = 0;
    child.stdout.setEncoding('utf8').on('data', (report: string) => {
      const found = [...report.matchAll(/^out_time_us=(\d+)$/gm)].at(-1);
      if (found) seconds = Number(found[1]) / 1e6;
    });
    child.once('exit', () => said.push(...wordsOf(seconds)));
    return child;
  };
  let child: ChildProcess | undefined;
  let isOver = false;
  let pause: Promise<unknown> = Promise.resolve();
  const sending = (async () => {
    while (!isOver) {
      child = send();
      await once(child, 'exit');
      await pause;
      await setTimeout(RETRY_MS);
    }
  })();
  const stop = async () => {
    isOver = true;
    child?.kill('SIGKILL');
    await sending;
  };
  return {
    said,
    async interrupt(ms) {
      pause = setTimeout(ms);
      child?.kill('SIGKILL');
      await pause;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Returns the words of so many seconds of the sample; within it, they count as evenly spread. */
function wordsOf(seconds: number): readonly string[] {
  const count = Math.round((seconds / SAMPLE_SECONDS) * WORDS.length);
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length]!);
}
