import { expect, test } from 'vitest';
import { openTelemetry } from '../../../src/cli/local/telemetry.ts';
import { createInstruments } from '../../../src/service/telemetry/createInstruments.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { capturedLog } from '../../helpers/observedService.ts';
import { heldTask, submission } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

describeOnStores('the metrics of queues', ({ locate }) => {
  test('are those of the database, with the jobs that this process runs', async context => {
    await using telemetry = await openTelemetry({}, capturedLog().logger);
    const instruments = createInstruments(telemetry.meterProvider);
    const held = heldTask();
    const place = await locate(context);
    await using service = openJobStore(place, { tasks: { async: held.task }, instruments });
    for (const id of ['first', 'second', 'third']) await service.jobs.submit(submission(id));
    await eventually(() => expect(held.begun.length).toBe(1));
    const text = await telemetry.metricsText();
    expect(text).toContain('rxscribe_jobs_running{lane="jobs"} 1\n');
    expect(text).toContain('rxscribe_jobs_waiting{lane="jobs"} 2\n');
    expect(text).toMatch(/^rxscribe_jobs_waiting_age_seconds\{lane="jobs"\} \d+\.\d+$/m);
    expect(text).toContain('rxscribe_deliveries_waiting 0\n');
    const connections = /^rxscribe_database_connections\{state="(?:used|idle)"\} [1-9]/m;
    if (place.databaseUrl === undefined) expect(text).not.toMatch(connections);
    else expect(text).toMatch(connections);
  });

  test('are not read any more when the jobs are closed', async context => {
    await using telemetry = await openTelemetry({}, capturedLog().logger);
    const instruments = createInstruments(telemetry.meterProvider);
    const service = openJobStore(await locate(context), { instruments });
    await service.jobs.countInProgress('nobody', 1);
    expect(await telemetry.metricsText()).toContain('rxscribe_jobs_waiting');
    await service.close();
    expect(await telemetry.metricsText()).not.toContain('rxscribe_jobs_waiting');
  });
});
