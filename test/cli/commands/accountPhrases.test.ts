import { expect, test } from 'vitest';
import { settled } from '../../helpers/adminClient.ts';
import { jsonLines, runCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { addPerson, DESK_ADMIN_TOKEN, waitingHumanJob } from '../../helpers/deskClient.ts';
import { endOf, keptService, postMedia, speechFile } from '../../helpers/keptService.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

const data = sharedDirectory();
const recognizer = createScriptedRecognizer();
const service = keptService({ dataDirectory: data, adminToken: DESK_ADMIN_TOKEN, recognizer });
const account = (...args: readonly string[]) => runCommand(['account', ...args, '--data', data]);
const learned = async () => jsonLines((await account('phrases', 'owner')).stdout);

/** Has a person write a text in place of that of the machine, `W4 w7. W9.`, and finish the job. */
async function correct(text: string): Promise<void> {
  const id = await waitingHumanJob(service());
  const person = await addPerson(service(), 'ann');
  await person.call('POST', `/jobs/${id}/claim`);
  await person.call('GET', `/jobs/${id}/draft`);
  const turns = [{ speaker: 0, text, words: [] }];
  expect(
    (await person.call('PATCH', `/jobs/${id}/draft`, { revision: 0, from: 0, to: 1, turns })).status,
  ).toBe(200);
  expect((await settled(() => person.call('POST', `/jobs/${id}/finish`, { revision: 1 }))).status).toBe(204);
}

/** Returns the phrases that a new job of the account favours. */
async function favouredByJob(): Promise<readonly string[] | undefined> {
  const submitted = await postMedia(service(), '/speechtotext/v1/jobs', speechFile());
  await endOf(service(), `/speechtotext/v1/jobs/${submitted.json().id}`);
  return recognizer.opened.at(-1)?.phrases;
}

test('corrections teach the later jobs of an account that agrees, and an admin removes and restores phrases', async () => {
  await correct('We met Okonkwo.');
  expect(await learned()).toEqual([]);
  expect(await favouredByJob()).toBeUndefined();

  const settings = await account('settings', 'owner', '--learn-from-corrections', 'on');
  expect(jsonLines(settings.stdout)).toEqual([expect.objectContaining({ learn_from_corrections: true })]);
  await correct('We met Okonkwo in Eindhoven.');
  await correct('It was Okonkwo, W9.');
  const rows = [
    { phrase: 'Okonkwo', count: 2, customer: 'owner@localhost', removed: false },
    { phrase: 'Eindhoven', count: 1 },
  ];
  expect(await learned()).toMatchObject(rows);
  expect(await favouredByJob()).toEqual(['Okonkwo', 'Eindhoven']);

  const removed = await account('phrases', 'owner', '--remove', 'Okonkwo');
  expect(jsonLines(removed.stdout)).toMatchObject([{ ...rows[0], removed: true }, rows[1]]);
  expect(await favouredByJob()).toEqual(['Eindhoven']);
  const missing = await account('phrases', 'owner', '--remove', 'Norland');
  expect(missing).toMatchObject({ code: 5, stderr: expect.stringContaining('no such phrase') });
  const restored = await account('phrases', 'owner', '--restore', 'Okonkwo');
  expect(jsonLines(restored.stdout)).toMatchObject(rows);

  const chief = await addPerson(service(), 'chief', 'admin');
  expect((await chief.call('GET', '/phrases')).json()).toMatchObject(rows);
  expect((await chief.call('PATCH', '/phrases/owner', { phrase: 'Eindhoven', removed: true })).status).toBe(
    204,
  );
  expect(await favouredByJob()).toEqual(['Okonkwo']);

  await account('settings', 'owner', '--learn-from-corrections', 'off');
  expect(await learned()).toEqual([]);
  expect(await favouredByJob()).toBeUndefined();
});
