import { setTimeout } from 'node:timers/promises';
import type { Installation, Machine } from './installation.ts';

/** A failure of one part of an installation. */
interface Fault {
  readonly name: string;
  /** Share of the choices, next to the other weights. */
  readonly weight: number;
  /** The part that fails. */
  readonly part: object;
  /** Resolves when it is over. */
  run(): Promise<void>;
}

/** Lets a part that works well fail for a while; returns the name of the fault. */
export async function failOnce(
  installation: Installation,
  random: () => number,
  failing: Set<object>,
): Promise<string> {
  const faults = faultsOf(installation, random).filter(({ part }) => !failing.has(part));
  let at = random() * faults.reduce((sum, { weight }) => sum + weight, 0);
  const { name, part, run } = faults.find(({ weight }) => {
    at -= weight;
    return at < 0;
  })!;
  failing.add(part);
  await run();
  failing.delete(part);
  return name;
}

function faultsOf(installation: Installation, random: () => number): readonly Fault[] {
  const { machines, database, objects } = installation;
  const machine = machines[Math.floor(random() * machines.length)]!;
  const role = machine.name.replace(/-\d+$/, '');
  const pause = (from: number, to: number) => () => setTimeout((from + random() * (to - from)) * 1000);
  const of = (name: string, weight: number, part: object, run: () => Promise<void>) => ({
    name,
    weight,
    part,
    run,
  });
  return [
    of(`kill -9 of one ${role}`, 4, machine, () => restart(machine, () => machine.kill(), pause(0, 5))),
    of(`SIGTERM of one ${role}`, 2, machine, () => restart(machine, () => machine.stop(), pause(0, 1))),
    of(`SIGSTOP of one ${role}`, 3, machine, () => stand(machine, pause(2, 40))),
    of(`one ${role} without the database`, 3, machine, () => cut(machine.databaseLink, pause(2, 40))),
    of(`one ${role} without the objects`, 2, machine, () => cut(machine.objectsLink, pause(2, 40))),
    of('restart of the database', 1, database, () => restart(database, () => database.stop(), pause(0, 5))),
    of('pause of the database', 1, database, () => stand(database, pause(2, 20))),
    of('restart of the object server', 1, objects, () =>
      restart(objects, () => objects.stop(), pause(0, 10)),
    ),
    of('pause of the object server', 1, objects, () => stand(objects, pause(2, 20))),
  ];
}

async function restart(
  part: { start(): void | Promise<void> },
  end: () => Promise<unknown>,
  wait: () => Promise<void>,
): Promise<void> {
  await end();
  await wait();
  await part.start();
}

async function stand(part: { pause(): void; goOn(): void }, wait: () => Promise<void>): Promise<void> {
  part.pause();
  await wait();
  part.goOn();
}

async function cut(link: Machine['databaseLink'], wait: () => Promise<void>): Promise<void> {
  link.cut();
  await wait();
  link.heal();
}
