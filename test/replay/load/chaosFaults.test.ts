import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import {
  type ChaosFault,
  chaosTargets,
  planFaults,
  runFaults,
  targetActions,
  targetFaults,
} from '../../../src/replay/load/chaosFaults.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';

const actions = { kill() {}, start() {}, freeze() {}, continue() {} };
const FAULTS = ['one', 'two', 'three'].flatMap(name => targetFaults(name, { ...actions }));

test('faults are two at a time, one of each part, within their time, and the same for the same seed', () => {
  const inputs = [fc.integer(), fc.integer({ min: 1, max: 600 })] as const;
  fc.assert(
    fc.property(...inputs, (seed, seconds) => {
      const plan = planFaults(FAULTS, { seconds, seed });
      expect(planFaults(FAULTS, { seconds, seed })).toEqual(plan);
      expect(plan.length).toBeGreaterThan(0);
      for (const { atSeconds: at, seconds: length } of plan) {
        expect(at + length).toBeLessThanOrEqual(seconds + 1e-9);
        const same = plan.filter(other => other.atSeconds <= at && at < other.atSeconds + other.seconds);
        expect(same.length).toBeLessThanOrEqual(2);
        expect(new Set(same.map(({ fault }) => fault.part)).size).toBe(same.length);
      }
    }),
  );
});

/** A fault that logs its begin and its end. */
function logged(log: string[], change: Partial<ChaosFault> = {}): ChaosFault {
  const common = { name: 'fault', weight: 1, part: {}, maxSeconds: 60 };
  return { ...common, begin: () => log.push('begin'), end: () => log.push('end'), ...change };
}

test('a fault in progress ends when the run is aborted, and later ones do not begin', async () => {
  const log: string[] = [];
  const stop = new AbortController();
  const clock = new VirtualClock();
  const fault = logged(log);
  const plan = [1, 50].map(atSeconds => ({ fault, atSeconds, seconds: 40 }));
  const done = runFaults(plan, { clock, signal: stop.signal });
  await clock.advanceAsync(2000);
  expect(log).toEqual(['begin']);
  stop.abort();
  await done;
  expect(log).toEqual(['begin', 'end']);
});

test('a fault that cannot begin is put right, ends the others, and is reported', async () => {
  const log: string[] = [];
  const clock = new VirtualClock();
  const broken = logged(log, { begin: () => Promise.reject(new Error('no docker')) });
  const plan = [
    { fault: logged(log), atSeconds: 1, seconds: 40 },
    { fault: broken, atSeconds: 2, seconds: 1 },
    { fault: logged(log), atSeconds: 3, seconds: 1 },
  ];
  const done = runFaults(plan, { clock });
  const failed = expect(done).rejects.toThrow('no docker');
  await clock.advanceAsync(5000);
  await failed;
  expect(log).toEqual(['begin', 'end', 'end']);
});

test('a service of Docker Compose is killed, stopped and frozen by its name', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'docker'), `#!/bin/sh\necho "$@" >>${directory}/calls\n`);
  await chmod(join(directory, 'docker'), 0o755);
  vi.stubEnv('PATH', directory + delimiter + process.env.PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [[name, commands]] = Object.entries(chaosTargets('compose:api-1')) as [[string, object]];
  const faults = targetFaults(name, targetActions(commands));
  expect(faults.map(({ name }) => name)).toEqual(['kill api-1', 'stop api-1', 'freeze api-1']);
  for (const { begin, end } of faults) {
    await begin();
    await end();
  }
  expect((await readFile(join(directory, 'calls'), 'utf8')).trim().split('\n')).toEqual([
    'compose kill api-1',
    'compose start api-1',
    'compose stop api-1',
    'compose start api-1',
    'compose pause api-1',
    'compose unpause api-1',
  ]);
});

test('a process by its id is frozen only, since nobody could start it again', async () => {
  const { spawn } = await import('node:child_process');
  const child = spawn('sleep', ['100']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [[name, commands]] = Object.entries(chaosTargets(`pid:${child.pid}`)) as [[string, object]];
  const [freeze, ...others] = targetFaults(name, targetActions(commands));
  expect(others).toEqual([]);
  const state = async () => (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(' ')[2];
  await freeze!.begin();
  await eventually(async () => expect(await state()).toBe('T'));
  await freeze!.end();
  await eventually(async () => expect(await state()).toBe('S'));
});

test('a command that fails is named', async () => {
  const { kill } = targetActions({ kill: 'exit 3' });
  await expect(kill!()).rejects.toThrow("'exit 3' failed with 3.");
});

test.each([
  ['pid:0', "Target 'pid:0' is no process that this user may signal."],
  [`pid:${process.pid}`, `Target 'pid:${process.pid}' is no process that this user may signal.`],
  ['pid:api', "Target 'pid:api' is no process that this user may signal."],
  ['compose:api;reboot', "Cannot read the targets 'compose:api;reboot'"],
])('target %s is refused', (target, message) => {
  expect(() => chaosTargets(target)).toThrow(message);
});

test.each([
  ['', 'expected targets, found none.'],
  ['api: { kill: x }', 'api: kill requires start.'],
  ['api: { freeze: x, start: y }', 'api: freeze requires continue.'],
  ['api: { kil: x }', 'unknown key "kil"; did you mean kill?'],
  ['api: 3', 'api: expected'],
  ['api: [', 'line 1: '],
])('a file of targets with %j is refused', async (text, message) => {
  const path = join(await temporaryDirectory(), 'targets.yaml');
  await writeFile(path, text);
  expect(() => chaosTargets(path)).toThrow(message);
});

test('faults follow the time of the system', async () => {
  const log: string[] = [];
  await runFaults([{ fault: logged(log), atSeconds: 0.01, seconds: 0.01 }], { clock: systemClock });
  expect(log).toEqual(['begin', 'end']);
});
