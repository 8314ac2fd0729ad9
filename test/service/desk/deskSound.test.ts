import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createId } from '../../../src/base/ids.ts';
import { createDeskSound } from '../../../src/service/desk/deskSound.ts';
import { mediaKey } from '../../../src/service/jobs/jobObjects.ts';
import { type JobRecord, toRow } from '../../../src/service/store/jobRecord.ts';
import { collect } from '../../helpers/collect.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { speechFile } from '../../helpers/keptService.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

describeOnStores('the audio of the desk', ({ locate }) => {
  test('is made of the media of a job that an earlier release has prepared, once', async context => {
    await using opened = openJobStore(await locate(context));
    const { objects } = await opened.store.opened;
    const job: JobRecord = {
      id: createId(),
      accountId: 'owner',
      type: 'human_tc',
      status: 'in_progress',
      createdOn: new Date(0),
      reservedSeconds: 0,
      attempts: 1,
      stage: 'waiting',
      durationSeconds: 2,
      options: { segments_to_transcribe: [{ start: '0.5', end: 1 }] },
    };
    const { db } = await opened.accounts.prepared;
    await db.insertInto('jobs').values(toRow(job)).execute();
    const path = join(objects.spoolDirectory, createId());
    await writeFile(path, speechFile(Array(20).fill(4)));
    await objects.adopt(mediaKey(job.id), path);

    const sound = createDeskSound(opened.store.opened);
    const [peaks, again] = await Promise.all([sound.peaks(job), sound.peaks(job)]);
    expect(again).toEqual(peaks);
    expect(peaks.seconds).toBe(2);
    const loud = [...Buffer.from(peaks.peaks, 'base64')].map(peak => peak > 0);
    const at = (seconds: number) => Math.floor(seconds * peaks.per_second);
    expect(loud.slice(0, at(0.5))).not.toContain(true);
    expect(loud.slice(at(0.56), at(0.98))).not.toContain(false);
    expect(loud.slice(at(1.04))).not.toContain(true);

    const part = await sound.read(job, { start: 40, end: 47 });
    expect(part).toMatchObject({ start: 40, end: 47, size: 44 + 2 * 32_000 });
    expect((await buffer(part!.bytes)).readUInt32LE(0)).toBe(2 * 32_000);
    expect(await sound.read(job, { start: 44 + 2 * 32_000 })).toBeUndefined();
    const samples = await sound.samples(job, 0.25, 0.75);
    expect(samples).toHaveLength(8000);
    expect(samples.findIndex(sample => sample !== 0)).toBeGreaterThanOrEqual(4000);
    expect(samples.subarray(4000).some(sample => sample !== 0)).toBe(true);

    await objects.removeAll(`submitted/${job.id}`);
    const another = createDeskSound(opened.store.opened);
    await expect(another.peaks(job)).rejects.toMatchObject({ fields: { current_value: 'ended' } });

    // Nothing is left of a job that ends while its audio is made.
    await writeFile(path, speechFile(Array(20).fill(4)));
    await objects.adopt(mediaKey(job.id), path);
    await db.updateTable('jobs').set({ stage: null, status: 'done' }).where('id', '=', job.id).execute();
    await expect(another.peaks(job)).rejects.toMatchObject({ fields: { current_value: 'ended' } });
    expect(await collect(objects.names(`submitted/${job.id}`))).toEqual([]);

    // Nor is its end an error of the media, which go with it.
    await writeFile(path, 'no audio');
    await objects.adopt(mediaKey(job.id), path);
    await expect(another.peaks(job)).rejects.toMatchObject({ fields: { current_value: 'ended' } });
  });
});
