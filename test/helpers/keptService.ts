import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Service } from '../../src/service/app.ts';
import { copiedDatabase } from './dataDirectory.ts';
import { eventually } from './eventually.ts';
import { type LimitedServiceOptions, startLimitedService } from './limitedService.ts';
import { scriptedSpeech } from './scriptedRecognizer.ts';
import { type Answer, request, scriptedServiceOptions, TEST_TOKEN } from './testService.ts';
import { wav } from './wavBytes.ts';

/**
 * A service with stored jobs, which all tests of a file share; it may connect to addresses of this machine. A data directory
 * that is given must be empty.
 */
export function keptService(options: Partial<LimitedServiceOptions> = {}): () => Service {
  let service: Service;
  let dataDirectory: string;
  beforeAll(async () => {
    dataDirectory = await copiedDatabase(options.dataDirectory);
    service = await startLimitedService({
      ...scriptedServiceOptions(),
      token: TEST_TOKEN,
      allowPrivateAddresses: true,
      ...options,
      dataDirectory,
    });
    await service.ready;
  });
  afterAll(async () => {
    await service?.close();
    await rm(dataDirectory, { recursive: true, force: true });
  });
  return () => service;
}

/** Levels that the scripted recogniser transcribes as `W4 w7. W9.`. */
export const SPEECH = [4, 7, 0, 0, 0, 9];

/** A WAV file of scripted speech. */
export function speechFile(levels: readonly number[] = SPEECH): Uint8Array {
  return wav(new Uint8Array(scriptedSpeech(levels).buffer));
}

/** Posts JSON. */
export function postJson(service: Pick<Service, 'url'>, path: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return request(service, path, { method: 'POST', body: JSON.stringify(body), headers });
}

/** Posts a form with media, and with options if there are any. */
export function postMedia(
  service: Pick<Service, 'url'>,
  path: string,
  media: Uint8Array = speechFile(),
  options?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData();
  form.append('media', new Blob([new Uint8Array(media)], { type: 'audio/wav' }), 'speech.wav');
  if (options !== undefined) form.append('options', JSON.stringify(options));
  return request(service, path, { method: 'POST', body: form, headers });
}

/** Resolves with a job when it has ended. */
// biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
export async function endOf(service: Pick<Service, 'url'>, path: string): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let job: any;
  await eventually(async () => {
    job = (await request(service, path)).json();
    if (job.status === 'in_progress') throw new Error(`${path} is in progress`);
  });
  return job;
}
