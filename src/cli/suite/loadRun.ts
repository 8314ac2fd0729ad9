import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';
import { oneLine, printableJson } from '../../base/text.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import type { LeftoversJson } from '../../protocol/admin.ts';
import {
  chaosTargets,
  linkFaults,
  openLink,
  type TargetCommands,
  targetActions,
  targetFaults,
} from '../../replay/load/chaosFaults.ts';
import { CHAOS_DEFAULTS, LOAD_DEFAULTS, type LoadPlan } from '../../replay/load/loadPlan.ts';
import {
  hearAlone,
  LOAD_AUDIO,
  type LoadService,
  type Recording,
  readRecording,
  type Speech,
} from '../../replay/load/loadSpeech.ts';
import { runChaos } from '../../replay/load/runChaos.ts';
import { runLoad } from '../../replay/load/runLoad.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { LoadFlags } from '../flags/loadOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';
import { chaosText, createLoadView } from '../print/loadView.ts';
import { linesText } from '../print/table.ts';
import { adminCall } from '../service/adminCall.ts';
import { readyService } from '../service/startEmbedded.ts';

/** One run of `rxscribe load`. */
export interface LoadRun extends LoadFlags {
  readonly paths: readonly string[];
}

/** Speech that is streamed when no file is named. */
const SAMPLE = fileURLToPath(new URL('../../../samples/sense-and-sensibility.wav', import.meta.url));

/** Puts a service under load, and prints how it behaves. */
export async function runLoadCommand(context: Context, run: LoadRun): Promise<void> {
  // A second Ctrl-C must not leave a process frozen.
  const options = run.chaos && { steps: Number.POSITIVE_INFINITY };
  await interruptible(context, work => (run.chaos ? loadWithFaults : load)(context, run, work), options);
}

async function load(context: Context, run: LoadRun, { signal, progress }: Work): Promise<void> {
  const plan = planOf(run);
  checkOpenFiles(plan, run);
  const recordings = await readRecordings(run.paths, { signal, progress });
  if (!run.url) progress.show('starting a service');
  await using embedded = run.url ? undefined : await startService(context, run, { plan, signal });
  const service: LoadService = embedded ?? { url: run.url!, token: run.token!, brand: run.brand };
  const { clock } = context;
  const { language } = run;
  const speech: Speech[] = [];
  for (const recording of plan.streams > 0 ? recordings : []) {
    progress.show(`listening to ${recording.path} alone`);
    speech.push(await hearAlone(recording, { service, clock, language, signal }));
  }
  const shownAs = embedded ? 'embedded' : publicAddress(serviceAddress(service.url, 'http'));
  const view = createLoadView(context.stdout, progress, { json: run.json });
  const report = await runLoad({
    service: { ...service, shownAs },
    plan,
    recordings,
    speech,
    limits: { maxDelaySeconds: run.maxDelay, maxLagSeconds: run.maxLag, maxFailures: run.maxFailures },
    seed: run.seed,
    clock,
    signal,
    onProgress: view.progress,
    onStep: view.step,
    language,
  });
  progress.hide();
  if (run.json) context.stdout.write(`${printableJson(report)}\n`);
  else view.summary(report);
  if (!report.isHeld && !signal.aborted) context.exitCode = EXIT.worse;
}

/** Streams and submits jobs while parts of the service fail, and prints what the audit finds. */
async function loadWithFaults(context: Context, run: LoadRun, { signal, progress }: Work): Promise<void> {
  const { stdout, clock } = context;
  const { url = '', chaos = [], token = '', brand, seed, adminToken } = run;
  const seconds = run.for ?? CHAOS_DEFAULTS.seconds;
  const address = serviceAddress(url, 'http');
  const targets: Readonly<Record<string, TargetCommands>> = Object.assign({}, ...chaos.map(chaosTargets));
  await using link =
    address.protocol === 'http:'
      ? await openLink({ host: address.hostname.replace(/[[\]]/g, ''), port: Number(address.port || '80') })
      : undefined;
  const faults = Object.entries(targets).flatMap(([name, commands]) =>
    Object.entries(commands).map(([action, text]) => `  ${action} ${name}: ${text}`),
  );
  const ofLink = link ? 'stall and reset' : 'no faults of (they need http://)';
  const lines = [
    `Faults for ${seconds} s, up to two at a time, with seed ${seed}:`,
    ...faults,
    `  ${ofLink} the connections of this command`,
  ];
  context.stderr.write(linesText(lines.map(oneLine)));
  if (!run.yes) await confirm(context, signal);
  const access = { data: '', url: run.adminUrl ?? url, adminToken };
  const call = { action: 'count leftovers', path: ['leftovers'], signal } as const;
  const leftovers = () => adminCall<LeftoversJson>(access, call);
  const report = await runChaos({
    ...run,
    leftovers: adminToken === undefined ? undefined : leftovers,
    service: {
      url: link ? `http://127.0.0.1:${link.port}${address.pathname}` : address.href,
      token,
      brand,
      shownAs: publicAddress(address),
    },
    recordings: await readRecordings(run.paths, { signal, progress }),
    faults: [
      ...Object.entries(targets).flatMap(([name, commands]) => targetFaults(name, targetActions(commands))),
      ...(link ? linkFaults(link) : []),
    ],
    seconds,
    streams: run.streams ?? CHAOS_DEFAULTS.streams,
    jobs: run.jobs ?? CHAOS_DEFAULTS.jobs,
    settleSeconds: run.settle,
    signal,
    clock,
    onProgress: progress.show,
  });
  progress.hide();
  stdout.write(run.json ? `${printableJson(report)}\n` : chaosText(report, stdout));
  if (!report.isSound) context.exitCode = EXIT.worse;
}

/** Asks for confirmation. @throws InvalidArgumentError without it */
async function confirm({ stdin, stderr }: Context, signal: AbortSignal): Promise<void> {
  if ((stdin as Partial<NodeJS.ReadStream>).isTTY) {
    stderr.write('Begin? [y/N] ');
    for await (const answer of createInterface({ input: stdin, signal })) {
      if (/^y(es)?$/i.test(answer.trim())) return;
      break;
    }
    signal.throwIfAborted();
  }
  throw new InvalidArgumentError('Nothing was done. Confirm with --yes, or with y in a terminal.');
}

function planOf(run: LoadRun): LoadPlan {
  const { streams = 0, jobsPerMinute, ramp, session } = run;
  return {
    streams,
    jobs: run.jobs ?? (jobsPerMinute === undefined ? 0 : LOAD_DEFAULTS.rateJobs),
    seconds: run.for ?? ramp?.seconds ?? LOAD_DEFAULTS.seconds,
    jobsPerMinute,
    ramp,
    sessionSeconds: session,
  };
}

/** Number of open files of this process besides its connections. */
const OTHER_FILES = 100;

/** @throws InvalidArgumentError for more clients than the limit of open files allows */
function checkOpenFiles({ streams, jobs }: LoadPlan, { url }: LoadRun): void {
  // With an embedded service, both ends of each connection are in this process.
  const wanted = (streams + jobs) * (url ? 1 : 2) + OTHER_FILES;
  const limit = openFileLimit();
  refuseIf(
    wanted > limit,
    `${streams + jobs} clients need ${wanted} open files, but this process may open ${limit}. Raise the limit with 'ulimit -n ${wanted}'.`,
  );
}

function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}

async function readRecordings(
  paths: readonly string[],
  { signal, progress }: Work,
): Promise<readonly Recording[]> {
  const recordings: Recording[] = [];
  for (const path of paths.length > 0 ? paths : [SAMPLE]) {
    progress.show(`reading ${path}`);
    const onWarning = ({ message }: { readonly message: string }) => progress.note(message);
    const recording = await readRecording(path, { signal, onWarning });
    recordings.push(recording);
    if (recording.isCut) {
      progress.note(`Streams use the first ${LOAD_AUDIO.maxSeconds / 60} minutes of '${path}'.`);
    }
    const blocks = recordings.reduce((sum, each) => sum + each.blocks.length, 0);
    refuseIf(
      (blocks * LOAD_AUDIO.blockMs) / 1000 > LOAD_AUDIO.maxTotalSeconds,
      `The recordings up to '${path}' are longer than ${LOAD_AUDIO.maxTotalSeconds / 3600} h together. Name fewer of them: they are kept in memory.`,
    );
  }
  return recordings;
}

/** Limit above any load. */
const NO_LIMIT = 1_000_000_000;

/** Starts a service inside this process whose account does not limit the load. */
function startService(
  context: Context,
  run: LoadRun,
  { plan, signal }: { readonly plan: LoadPlan; readonly signal: AbortSignal },
) {
  const account = {
    streams: NO_LIMIT,
    jobsInProgress: NO_LIMIT,
    requestsPerSecond: NO_LIMIT,
    requestBurst: NO_LIMIT,
  };
  const limits = { account, http: { uploadsPerAccount: NO_LIMIT } };
  return readyService(context, { ...run, keepsJobs: plan.jobs > 0, limits }, signal);
}
