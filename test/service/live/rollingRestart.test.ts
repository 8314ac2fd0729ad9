// @module-tag tools

import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { BALANCERS, startBalancer } from '../../helpers/balancer.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { expectAllWords } from '../../helpers/recoveryCase.ts';
import { scenarioSource } from '../../helpers/scenarioSource.ts';
import { FLOWING_SPEECH } from '../../helpers/standbyRun.ts';
import { streamRun } from '../../helpers/streamRun.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const STREAMS = 8;

test.for(BALANCERS)(
  'no stream loses or doubles a word while each service behind %s is restarted',
  async (name, context) => {
    needsProgram(context, name);
    const start = (port: number) => startTestService({ port, drainSeconds: 40 });
    const services = [];
    for (const port of await freePorts(3)) services.push(await start(port));
    const balancer = await startBalancer(name, services);
    onTestFinished(() => balancer[Symbol.asyncDispose]());
    const streams = Array.from({ length: STREAMS }, () =>
      streamRun(scenarioSource(FLOWING_SPEECH, systemClock), {
        ...{ url: balancer.url, token: TEST_TOKEN, resume: {}, skipPostprocessing: true },
      }),
    );
    for (const { port, close } of services) {
      await Promise.all(streams.map(stream => stream.untilEvents(3)));
      await close();
      await start(port);
    }
    for (const stream of streams)
      expectAllWords({ events: stream.events, error: await stream.end }, FLOWING_SPEECH);
    const moved = streams.filter(({ statusTypes }) => statusTypes.includes('reconnecting'));
    expect(moved.length).toBeGreaterThan(0);
  },
);
