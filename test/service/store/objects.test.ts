import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createFileObjects } from '../../../src/service/store/fileObjects.ts';
import type { Objects } from '../../../src/service/store/objects.ts';
import { createS3Objects } from '../../../src/service/store/s3Objects.ts';
import { readS3Place } from '../../../src/service/store/s3Place.ts';
import { openStore, type StoreOptions } from '../../../src/service/store/store.ts';
import { collect } from '../../helpers/collect.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { needs } from '../../helpers/needs.ts';
import { missingObjectServer, type ObjectServer, startObjectServer } from '../../helpers/objectServer.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

/** Tests that every kind of objects passes. */
function describeObjects(name: string, tags: string[], open: (spool: string) => Promise<Objects>): void {
  describe(`objects in ${name}`, { tags }, () => {
    const make = async (context: Parameters<typeof needs>[0]) => {
      if (tags.length > 0) needs(context, missingObjectServer());
      const spool = join(await temporaryDirectory(), 'spool');
      mkdirSync(spool);
      return { spool, objects: await open(spool) };
    };

    test('are written, replaced, read and missing', async context => {
      const { objects } = await make(context);
      expect(await objects.get('jobs/a/results/x')).toBeUndefined();
      await objects.put('jobs/a/results/x', 'né "à" \u{1f600}');
      await objects.put('jobs/a/results/x', 'né "à" \u{1f601}');
      await objects.put('jobs/a/results/empty', '');
      expect(await objects.get('jobs/a/results/x')).toBe('né "à" \u{1f601}');
      expect(await objects.get('jobs/a/results/empty')).toBe('');
    });

    test('are made from files, and become files', async context => {
      const { spool, objects } = await make(context);
      const bytes = Buffer.alloc(300_000, 'some media');
      writeFileSync(join(spool, 'upload'), bytes);
      const kept = await objects.adopt('submitted/a/media', join(spool, 'upload'));
      expect(readFileSync(kept)).toEqual(bytes);
      const path = await objects.fileOf('submitted/a/media', spool);
      expect(readFileSync(path!)).toEqual(bytes);
      expect(await objects.fileOf('submitted/b/media', spool)).toBeUndefined();
    });

    test('are listed by folder, page by page, and deleted by folder', async context => {
      const { objects } = await make(context);
      const ids = ['a', 'ab', 'b', 'c', 'd', 'e', 'f', 'g'];
      for (const id of ids) await objects.put(`jobs/${id}/results/transcript`, id);
      for (let index = 0; index < 7; index++) await objects.put(`jobs/a/results/${index}`, 'part');
      await objects.put('submitted/a/input', '{}');
      expect((await collect(objects.names('jobs'))).sort()).toEqual(ids);
      expect(await collect(objects.names('nothing'))).toEqual([]);
      await objects.removeAll('jobs/a');
      await objects.removeAll('jobs/nothing');
      expect((await collect(objects.names('jobs'))).sort()).toEqual(ids.slice(1));
      expect(await objects.get('submitted/a/input')).toBe('{}');
    });
  });
}

let server: Promise<ObjectServer> | undefined;
const objectServer = () => {
  server ??= startObjectServer();
  return server;
};
afterAll(async () => (await server)?.[Symbol.asyncDispose]());

describeObjects('a directory', [], async spool => createFileObjects(join(spool, '..', 'objects'), spool));
describeObjects('a bucket', ['tools'], async spool =>
  createS3Objects((await objectServer()).createPlace(), spool),
);

describe('a bucket', { tags: 'tools' }, () => {
  const database = serverBackend();

  test('whose server is gone is an error that passes, and readable', async context => {
    needs(context, missingObjectServer());
    const { createPlace, stop, start } = await objectServer();
    const spool = await temporaryDirectory();
    const objects = createS3Objects(createPlace(), spool);
    await objects.put('jobs/a/results/x', 'words');
    writeFileSync(join(spool, 'upload'), 'media');
    await stop();
    const gone = {
      code: 'store',
      message: expect.stringMatching(/^The object store cannot be reached: connect ECONNREFUSED [\d.:]+\.$/),
      isUnreachable: true,
    };
    await expect(objects.get('jobs/a/results/x')).rejects.toMatchObject(gone);
    await expect(objects.put('jobs/a/results/x', 'other')).rejects.toMatchObject(gone);
    await expect(objects.adopt('submitted/a/media', join(spool, 'upload'))).rejects.toMatchObject(gone);
    await expect(objects.fileOf('submitted/a/media', spool)).rejects.toMatchObject(gone);
    await expect(objects.removeAll('jobs/a')).rejects.toMatchObject(gone);
    await expect(collect(objects.names('jobs'))).rejects.toMatchObject(gone);
    await start();
    expect(await objects.get('jobs/a/results/x')).toBe('words');
  });

  test('that does not exist, or needs other credentials, is refused at the start', async context => {
    needs(context, missingObjectServer());
    const { endpoint, createPlace } = await objectServer();
    const open = async (options: Pick<StoreOptions, 'objects'>) => {
      await using store = closing({ ...(await database.locate(context)), ...options });
      return await store.opened;
    };
    await expect(open({ objects: { url: 's3://nothing', endpoint } })).rejects.toThrow(
      'The object store refuses: NoSuchBucket, status 404.',
    );
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    try {
      await expect(open({ objects: createPlace() })).rejects.toThrow(
        'The object store refuses: SignatureDoesNotMatch, status 403.',
      );
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = 'testing';
    }
  });

  test('belongs to one database', async context => {
    needs(context, missingObjectServer());
    const objects = (await objectServer()).createPlace();
    const place = { ...(await database.locate(context)), objects };
    {
      await using first = closing(place);
      await using second = closing({ ...place, dataDirectory: await temporaryDirectory() });
      await Promise.all([first.opened, second.opened]);
      await (await first.opened).objects.put('jobs/a/results/x', 'words');
    }
    await using other = closing({ ...(await database.locate(context)), objects });
    await expect(other.opened).rejects.toThrow(
      /^Bucket 's3:\/\/objects\/store\d+' has the objects of another database \(id: \w{14}, wanted: none\)/,
    );
    const elsewhere = (await objectServer()).createPlace();
    await using moved = closing({ ...place, objects: elsewhere });
    await expect(moved.opened).rejects.toThrow(
      /has the objects of another database \(id: none, wanted: \w{14}\)/,
    );
  });
});

/** Opens a store, and closes it at the end of a block. */
function closing(options: Partial<StoreOptions>) {
  const store = openStore({ clock: systemClock, onError: () => {}, ...options });
  return { opened: store.opened, [Symbol.asyncDispose]: () => store.close() };
}

test.each([
  ['s3://bucket', 'bucket', ''],
  ['s3://bucket/', 'bucket', ''],
  ['s3://my.bucket-1/a/b', 'my.bucket-1', 'a/b'],
  ['s3://bucket/a/b//', 'bucket', 'a/b'],
])('%s is a place for objects', (url, bucket, prefix) => {
  expect(readS3Place({ url })).toEqual({ bucket, prefix });
});

test.each(['bucket', 's3:bucket', 's3://B', 's3://bucket/../x', 's3://bucket/a b', 'https://bucket'])(
  '%s is no place for objects',
  url => {
    expect(() => readS3Place({ url })).toThrow(
      `The address of the objects must be like s3://BUCKET/PREFIX, not '${url}'.`,
    );
  },
);

test('a bucket requires a database server, and an address of HTTP', async () => {
  const open = (options: Partial<StoreOptions>) =>
    openStore({ clock: systemClock, onError: () => {}, ...options });
  const dataDirectory = await temporaryDirectory();
  expect(() => open({ dataDirectory, objects: { url: 's3://bucket' } })).toThrow(
    /'objects' requires 'databaseUrl'/,
  );
  expect(() => readS3Place({ url: 's3://bucket', endpoint: 'ftp://host' })).toThrow(/must be one of HTTP/);
});
