import { expect, test } from 'vitest';
import { keptDesk, logIn, TWO_VOICES, waitingHumanJob } from '../../helpers/deskClient.ts';

const service = keptDesk();

test.each([
  ['two voices without names', {}, [0, 1, 0]],
  ['one name for two voices', { speaker_names: [{ display_name: 'Ada' }] }, [0]],
  [
    'a number that is not that of the names',
    { speaker_names: [{ display_name: 'Ada' }], speakers_count: 2 },
    [0, 1, 0],
  ],
])('the draft of a job with %s has no more speakers than those', async (_job, options, speakers) => {
  const id = await waitingHumanJob(service(), options, TWO_VOICES);
  const ann = await logIn(service(), 'ann');
  await ann.call('POST', `/jobs/${id}/claim`);
  const { turns } = (await ann.call('GET', `/jobs/${id}/draft`)).json();
  expect(turns.map(({ speaker }: { readonly speaker: number }) => speaker)).toEqual(speakers);
  await ann.call('POST', `/jobs/${id}/release`);
});
