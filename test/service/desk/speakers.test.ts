import { beforeAll, expect, test } from 'vitest';
import { addPerson, DESK_ADMIN_TOKEN, logIn, waitingHumanJob } from '../../helpers/deskClient.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';

const service = keptService({
  adminToken: DESK_ADMIN_TOKEN,
  aligner: createScriptedAligner(),
  diarizer: createScriptedDiarizer(),
});
beforeAll(() => addPerson(service(), 'ann'));

/** Words of two voices: the loud ones are those of the second. */
const TALK = speechFile([4, 7, 0, 0, 0, 104, 107, 0, 0, 0, 5, 6]);

test.each([
  ['two voices without names', {}, [0, 1, 0]],
  ['one name for two voices', { speaker_names: [{ display_name: 'Ada' }] }, [0]],
  [
    'a number that is not that of the names',
    { speaker_names: [{ display_name: 'Ada' }], speakers_count: 2 },
    [0, 1, 0],
  ],
])('the draft of a job with %s has no more speakers than those', async (_job, options, speakers) => {
  const id = await waitingHumanJob(service(), options, TALK);
  const ann = await logIn(service(), 'ann');
  await ann.call('POST', `/jobs/${id}/claim`);
  const { turns } = (await ann.call('GET', `/jobs/${id}/draft`)).json();
  expect(turns.map(({ speaker }: { readonly speaker: number }) => speaker)).toEqual(speakers);
  await ann.call('POST', `/jobs/${id}/release`);
});
