import OpenAI from 'openai';
import { eventually } from '../helpers/eventually.ts';
import { startLimitedService } from '../helpers/limitedService.ts';
import { quantile } from '../helpers/quantile.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { wav } from '../helpers/wavBytes.ts';
import { measureStreams } from './doors/streams.ts';
import { scratchDirectory } from './parts/scratch.ts';

const TOKEN = 'token-of-the-doors-bench';
/** The two ways take turns, so that other work of the machine falls on both. */
const ROUNDS = 60;
const GOAL_MS = 5;

/** Measures what the interfaces of other services add to a job, and to a stream, beside our own. */
export async function run(): Promise<void> {
  await measureJobs();
  await measureStreams();
}

/** Measures how much later a client of another service has the text of a recording than one of our own interface. */
async function measureJobs(): Promise<void> {
  await using directory = await scratchDirectory();
  await using service = await startLimitedService({
    recognizer: createScriptedRecognizer(),
    port: 0,
    logLevel: 'silent',
    token: TOKEN,
    doors: ['openai'],
    dataDirectory: directory.path,
  });
  await service.ready;
  const file = new File([wav(new Uint8Array(scriptedSpeech([4, 7, 0, 0, 0, 9]).buffer))], 'talk.wav');
  const client = new OpenAI({ apiKey: TOKEN, baseURL: `${service.url}/v1`, maxRetries: 0 });
  const ways = {
    'own interface': () => ownJob(service.url, file),
    openai: async () => (await client.audio.transcriptions.create({ file, model: 'any' })).text,
  };
  const ms: Record<keyof typeof ways, number[]> = { 'own interface': [], openai: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      const startMs = performance.now();
      const text = await ways[way]();
      if (!text.includes('W4 w7')) throw new Error(`The text of '${way}' is '${text}'.`);
      ms[way].push(performance.now() - startMs);
    }
  }
  console.log(
    `From a recording of 0.6 s to its text, ${ROUNDS} times in turn; the job itself does next to nothing:`,
  );
  console.table(
    Object.entries(ms).map(([way, all]) => ({
      way,
      'median ms': Math.round(quantile(all, 0.5)),
      'p95 ms': Math.round(quantile(all, 0.95)),
    })),
  );
  const added = quantile(ms.openai, 0.5) - quantile(ms['own interface'], 0.5);
  console.log(`openai adds ${added.toFixed(1)} ms (goal: at most ${GOAL_MS})`);
}

/** Submits a job, asks for its state until it has ended, and returns its text. */
async function ownJob(url: string, file: File): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const form = new FormData();
  form.append('media', file);
  form.append('options', '{"skip_diarization":true}');
  const jobs = `${url}/speechtotext/v1/jobs`;
  const submitted = await fetch(jobs, { method: 'POST', headers, body: form });
  const { id } = (await submitted.json()) as { readonly id: string };
  await eventually(async () => {
    const { status } = (await (await fetch(`${jobs}/${id}`, { headers })).json()) as {
      readonly status: string;
    };
    if (status !== 'transcribed') throw new Error(`The job is ${status}.`);
  });
  const text = { ...headers, accept: 'text/plain' };
  return (await fetch(`${jobs}/${id}/transcript`, { headers: text })).text();
}
