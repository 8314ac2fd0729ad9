import { execSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellWord } from '../../../src/base/text.ts';
import type { Recognizer } from '../../../src/engines/recognizer.ts';
import type { ChaosReport } from '../../../src/replay/load/runChaos.ts';
import { cli, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { needs } from '../../helpers/needs.ts';
import { postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { scriptedRecordings } from '../../helpers/scriptedRecordings.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
const SPEECH = [1, 2, 3, 4, 5, 0, 0, 0, 0, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0, 0, 13, 14, 0, 0, 0, 0];
const SERVICE = new URL('../../helpers/serviceMain.ts', import.meta.url).pathname;

async function recording(): Promise<string> {
  return join(await scriptedRecordings({ talk: { levels: SPEECH } }), 'talk.wav');
}

/** Writes a file of targets. */
async function targetsFile(targets: object): Promise<string> {
  const path = join(await temporaryDirectory(), 'targets.yaml');
  await writeFile(path, JSON.stringify(targets));
  return path;
}

const strictly = ['--yes', '--max-word-errors', '0', '--json', '--token', TEST_TOKEN];

/** The commands of a process with a pid file. It ends with the test. */
function processCommands(directory: string, options: { readonly role: string; readonly port: number }) {
  const pidFile = join(directory, `${options.role}.pid`);
  const program = [process.execPath, SERVICE, JSON.stringify({ ...options, logLevel: 'silent' })];
  const signal = (name: string) => `kill -${name} $(cat ${pidFile})`;
  onTestFinished(() => {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  });
  return {
    start: `${program.map(shellWord).join(' ')} >/dev/null 2>&1 & echo $! >${pidFile}`,
    kill: signal('KILL'),
    freeze: signal('STOP'),
    continue: signal('CONT'),
  };
}

describe('a load with faults', { tags: 'slow' }, () => {
  test('finds a service of two processes sound that are killed, frozen and cut off', {
    tags: 'tools',
    timeout: 300_000,
  }, async context => {
    const programs = postgresPrograms();
    needs(context, programs ? undefined : 'the package postgresql');
    await using server = await startPostgres(programs!);
    const directory = await temporaryDirectory();
    const [port = 0, workerPort = 0, notifyPort] = await freePorts(3);
    const common = {
      databaseUrl: await server.createDatabase(),
      dataDirectory: join(directory, 'data'),
      token: TEST_TOKEN,
      allowPrivateAddresses: true,
    };
    const targets = {
      api: processCommands(directory, { ...common, role: 'api', port }),
      worker: processCommands(directory, { ...common, role: 'worker', port: workerPort }),
    };
    for (const { start } of Object.values(targets)) execSync(start, { stdio: 'ignore' });
    for (const each of [port, workerPort]) {
      const isReady = async () => (await fetch(`http://127.0.0.1:${each}/health/ready`)).ok;
      await eventually(async () => expect(await isReady()).toBe(true));
    }
    const { code, stdout } = await runCommand(
      cli`load ${await recording()} --chaos ${await targetsFile(targets)} --for 30 --seed 5 ${strictly}
        --url ${`http://127.0.0.1:${port}`} --notify-url ${`http://127.0.0.1:${notifyPort}/`}`,
    );
    const report: ChaosReport = JSON.parse(stdout);
    const { faults, facts, findings } = report;
    expect(Object.entries(findings).filter(([, count]) => count > 0)).toEqual([]);
    expect(report).toMatchObject({ isSound: true, seed: 5, notAudited: ['leftovers'] });
    expect(code).toBe(0);
    for (const name of ['kill api', 'kill worker', 'freeze worker', 'stall connections', 'reset connections'])
      expect([name, faults[name]]).toEqual([name, expect.any(Number)]);
    expect(facts.words).toBeGreaterThan(50);
    expect(facts.jobs).toBeGreaterThan(5);
    expect(facts.reconnections).toBeGreaterThan(2);
    expect(stdout).not.toContain(TEST_TOKEN);
  });

  test('finds a job that was lost, a result without a job, and words that are missing', async () => {
    const directory = await dataDirectory();
    const recognizer = deafAtFirst(createScriptedRecognizer());
    const service = await startTestService({ dataDirectory: directory, adminToken: ADMIN_TOKEN, recognizer });
    const jobs = `${service.url}/speechtotext/v1/jobs`;
    const orphan = join(directory, 'objects', 'jobs', 'Orphan');
    const program = `
      const headers = { authorization: 'Bearer ${TEST_TOKEN}' };
      // Those that the service deletes itself are not missed.
      const isKept = job => job.metadata?.startsWith('chaos') && job.delete_after_seconds > 0;
      const find = async () => (await (await fetch('${jobs}', { headers })).json())
        .find(job => job.status === 'transcribed' && isKept(job));
      let job;
      while (!(job = await find())) await new Promise(resolve => setTimeout(resolve, 200));
      await fetch('${jobs}/' + job.id, { method: 'DELETE', headers });`;
    const lose = [process.execPath, '--input-type=module', '-e', program].map(shellWord).join(' ');
    const freeze = `sleep 2; ${lose} && mkdir -p ${orphan} && touch ${orphan}/transcript`;
    const targets = await targetsFile({ store: { freeze, continue: 'true' } });
    const { code, stdout } = await runCommand(
      cli`load ${await recording()} --chaos ${targets} --for 10 --settle 5 --url ${service.url}
        --admin-token ${ADMIN_TOKEN} ${strictly}`,
    );
    const { isSound, findings, faults }: ChaosReport = JSON.parse(stdout);
    const lost = faults['freeze store']!;
    expect([code, isSound, findings.jobsLost]).toEqual([6, false, lost]);
    expect(lost).toBeGreaterThan(0);
    expect(findings.resultsLeft).toBe(1);
    expect(findings.wordErrors).toBeGreaterThan(0);
    expect(findings.entriesLeft).toBe(0);
  });

  test('lets a frozen process go on when it is interrupted, however often', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const child = spawn('sleep', ['300'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const state = () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[2];
    await using command = startCommand([
      ...['load', await recording(), '--chaos', `pid:${child.pid}`, '--streams', '1'],
      ...['--url', service.url, ...strictly],
    ]);
    await eventually(() => expect(state()).toBe('T'));
    command.interrupt();
    command.interrupt();
    expect((await command.done).code).toBe(130);
    // Before it sleeps again, it has to run.
    expect(['R', 'S']).toContain(state());
  });
});

/** A recogniser that does not hear the first two seconds of each stream but the first one. */
function deafAtFirst(recognizer: Recognizer): Recognizer {
  let sessions = 0;
  return Object.assign(Object.create(recognizer), {
    async open(...args: Parameters<Recognizer['open']>) {
      const session = await recognizer.open(...args);
      if (sessions++ === 0) return session;
      let frames = 0;
      const write = (samples: Int16Array) => {
        frames += samples.length;
        return session.write(frames < 32_000 ? new Int16Array(samples.length) : samples);
      };
      return Object.assign(Object.create(session), { write });
    },
  });
}

describe('a load with faults is refused', () => {
  const target = ['--chaos', 'compose:api'];
  const address = ['--url', 'http://127.0.0.1:9', '--token', TEST_TOKEN];
  test.each([
    [[...target, ...address], 'Nothing was done. Confirm with --yes, or with y in a terminal.'],
    [target, 'This command requires --url and --token (or RXSCRIBE_URL and RXSCRIBE_TOKEN).'],
    [[...target, ...address, '--ramp', '1/s'], '--chaos excludes --jobs-per-minute, --ramp and --session.'],
    [['--streams', '1', '--yes'], '--yes, --notify-url and --admin-url require --chaos.'],
    [['--notify-url', 'https://hook.example', ...target], '--notify-url must be an address with http://'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await runCommand(['load', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('after it has said what it would do', async () => {
    const { stderr } = await runCommand(['load', ...target, ...address, '--seed', '7', '--for', '9']);
    expect(stderr.split('\n').slice(0, 7)).toEqual([
      'Faults for 9 s, up to two at a time, with seed 7:',
      '  kill api: docker compose kill api',
      '  stop api: docker compose stop api',
      '  start api: docker compose start api',
      '  freeze api: docker compose pause api',
      '  continue api: docker compose unpause api',
      '  stall and reset the connections of this command',
    ]);
  });
});
