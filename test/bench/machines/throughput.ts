import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { SPEECH_TO_TEXT_PREFIX, STREAM_PATH } from '../../../src/protocol/interfaceNames.ts';
import { postMedia, speechFile } from '../../helpers/keptService.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { clientOf, RAW_16K } from '../../helpers/streamClient.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';
import { scratchDirectory } from '../parts/scratch.ts';
import { type Installation, install } from './parts/installation.ts';

const JOBS = 200;
const STREAMS = 200;
const STREAM_CLIENTS = 16;
const RUNS = 3;
/** Processor seconds that the embedded recogniser takes for a second of audio: `engines/recognition`. */
const ENGINE = { recording: 0.039, stream: 0.27 };
const AUDIO_SECONDS = 2;

/**
 * Measures jobs and streams per second with one, two and three processes that run or take them, and their processor
 * time next to that of the embedded recogniser. The recogniser here takes no time.
 */
export async function run(): Promise<void> {
  for (const count of [1, 2, 3]) {
    const runs: Awaited<ReturnType<typeof measure>>[] = [];
    for (let index = 0; index < RUNS; index++) runs.push(await measure(count));
    const medians = Object.keys(runs[0]!).map(name => [
      name,
      median(runs.map(run => run[name as keyof typeof run])),
    ]);
    console.log(`${count} of each role:`);
    console.table(Object.fromEntries(medians));
  }
  console.log(
    `The embedded recogniser takes ${ENGINE.recording} s of processor time for a second of a recording, ${ENGINE.stream} s for one of a stream.`,
  );
}

async function measure(count: number) {
  await using scratch = await scratchDirectory();
  const account = { streams: 1000, jobsInProgress: 1e6, requestsPerSecond: 1e5, requestBurst: 1e5 };
  const options = {
    directory: scratch.path,
    api: count,
    worker: count,
    jobsAtOnce: 4,
    hasFileObjects: true,
    workMs: 0,
    limits: { account },
  };
  await using installation = await install(options);
  const jobs = await jobsPerSecond(installation);
  const streams = await streamsPerSecond(installation);
  return {
    'jobs per second': jobs.perSecond,
    'processor ms per job, service': jobs.serviceMs,
    'processor ms per job, database and load balancer': jobs.serversMs,
    'streams per second': streams.perSecond,
    'processor ms per stream, service': streams.serviceMs,
    'processor ms per stream, database and load balancer': streams.serversMs,
  };
}

async function jobsPerSecond(installation: Installation) {
  const media = speechFile(Array.from({ length: AUDIO_SECONDS * 10 }, (_, index) => 1 + (index % 200)));
  const service = { url: installation.balancers[0]!.url };
  const submit = async (client: number) => {
    for (let index = client; index < JOBS; index += STREAM_CLIENTS) {
      const { status, text } = await postMedia(service, `${SPEECH_TO_TEXT_PREFIX}/jobs`, media);
      if (status !== 200) throw new Error(text);
    }
  };
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  await client.connect();
  try {
    return await rateOf(JOBS, installation, async () => {
      await atOnce(submit);
      const left = async () =>
        Number((await client.query(`select count(*) from jobs where status = 'in_progress'`)).rows[0].count);
      while ((await left()) > 0) await setTimeout(20);
    });
  } finally {
    await client.end();
  }
}

async function streamsPerSecond(installation: Installation) {
  const speech = scriptedSpeech(Array.from({ length: AUDIO_SECONDS * 10 }, (_, index) => 1 + (index % 200)));
  const { url } = installation.balancers[0]!;
  const query = new URLSearchParams({ access_token: TEST_TOKEN, content_type: RAW_16K });
  return rateOf(STREAMS, installation, () =>
    atOnce(async client => {
      for (let index = client; index < STREAMS; index += STREAM_CLIENTS) {
        const stream = clientOf(`${url.replace('http', 'ws')}${STREAM_PATH}?${query}`);
        await stream.connected;
        stream.send(speech);
        stream.send('EOS');
        const { code } = await stream.closed;
        if (code !== 1000) throw new Error(`wanted a close with 1000, found ${code}`);
      }
    }),
  );
}

async function atOnce(work: (client: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: STREAM_CLIENTS }, (_, client) => work(client)));
}

/** Measures some work, whose processes are all children of this one. */
async function rateOf(count: number, { machines }: Installation, work: () => Promise<void>) {
  const service = () => machines.reduce((sum, { pid }) => sum + processorMs(pid), 0);
  const all = () => processorMs(process.pid, { withItself: false });
  const [startMs, startService, startAll] = [performance.now(), service(), all()];
  await work();
  const seconds = (performance.now() - startMs) / 1000;
  const serviceMs = service() - startService;
  return {
    perSecond: count / seconds,
    serviceMs: serviceMs / count,
    serversMs: (all() - startAll - serviceMs) / count,
  };
}

/** Returns the processor time of a process, or of its children alone, so far. Linux only. */
function processorMs(pid: number, { withItself = true } = {}): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    const [own, ofEnded] = [times.slice(0, 2), times.slice(2)];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
    const ticks = [...ofEnded, ...(withItself ? own : [])].reduce((sum, each) => sum + each, 0);
    // A tick is 10 ms.
    return ticks * 10 + children.reduce((sum, child) => sum + processorMs(Number(child)), 0);
  } catch {
    // It has ended, and its time is that of its parent.
    return 0;
  }
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]! * 10) / 10;
}
