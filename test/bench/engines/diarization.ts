import { type Random, seeded } from '../../../src/base/seeded.ts';
import { createDiarizer } from '../../../src/engines/diarization/diarizer.ts';
import type { Diarizer, SpeakerTurn } from '../../../src/engines/diarizer.ts';
import { type Conversation, conversation, readSpeakers } from '../../engines/diarization/conversations.ts';
import { type DiarizationErrors, diarizationErrors } from '../../engines/diarization/diarizationErrors.ts';
import { twoVoices } from '../../engines/diarization/twoVoices.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';

/** See `readSpeakers`. */
const SPEECH_DATA = process.env.RXSCRIBE_SPEECH_DATA;
const CONVERSATIONS = 12;
const RATE = 16_000;
/** Shorter recordings do not sound like two speakers. */
const LEAST_SECONDS = 5;

interface Talk extends Conversation {
  readonly speakers: number;
}

/** A way to obtain the turns of a recording. */
type Way = (talk: Talk) => Promise<readonly SpeakerTurn[]>;

/** Measures diarization error rates on joined turns, and how often one speaker stays one. */
export async function run(): Promise<void> {
  await using diarizer = createDiarizer();
  const ways: Record<string, Way> = {
    'one speaker for all': async ({ truth }) => truth.map(turn => ({ ...turn, speaker: 0 })),
    truth: async ({ truth }) => truth,
    recording: ({ samples }) => diarizer.diarize([samples]),
    'recording, number known': ({ samples, speakers }) =>
      diarizer.diarize([samples], { speakersCount: speakers }),
    'stream, asked by turn': talk => followed(diarizer, talk),
  };
  const all = talks(seeded(1));
  const rows = [];
  for (const speakers of [...new Set(all.map(talk => talk.speakers))]) {
    const chosen = all.filter(talk => talk.speakers === speakers);
    for (const [way, diarize] of Object.entries(ways))
      rows.push({ speakers, way, ...(await measure(chosen, diarize)) });
  }
  console.table(rows);
  console.log(
    'published, on real conversations, which are harder: 11.2 % (the best of five, arXiv:2509.26177)',
  );
  await singleSpeakers(diarizer);
}

function talks(random: Random): readonly Talk[] {
  const voices = SPEECH_DATA ? [...readSpeakers(SPEECH_DATA).values()] : [];
  if (voices.length < 8) return [{ ...twoVoices(), speakers: 2 }];
  return [2, 3, 4, 8].flatMap(speakers =>
    Array.from({ length: CONVERSATIONS }, () => {
      const order = voices.map(voice => ({ voice, at: random() })).sort((one, other) => one.at - other.at);
      const chosen = order.slice(0, speakers).map(({ voice }) => voice);
      return { ...conversation(chosen, random), speakers };
    }),
  );
}

/** Returns the tracker's result for each turn directly after it. */
async function followed(diarizer: Diarizer, { samples, truth }: Talk): Promise<readonly SpeakerTurn[]> {
  await using tracker = await diarizer.track();
  const turns: SpeakerTurn[] = [];
  let written = 0;
  for (const turn of truth) {
    await tracker.write(samples.subarray(written, turn.endFrame));
    written = turn.endFrame;
    turns.push({ ...turn, speaker: await tracker.speakerDuring(turn.startFrame, turn.endFrame) });
  }
  return turns;
}

async function measure(chosen: readonly Talk[], diarize: Way): Promise<Record<string, number | string>> {
  const errors: DiarizationErrors[] = [];
  let [counted, changes] = [0, 0];
  const cpuSeconds = await cpuSecondsOf(async () => {
    for (const talk of chosen) {
      const turns = await diarize(talk);
      errors.push(diarizationErrors(talk.truth, turns));
      changes += turns.filter(
        ({ speaker }, index) => index > 0 && speaker !== turns[index - 1]!.speaker,
      ).length;
      if (new Set(turns.map(({ speaker }) => speaker)).size === talk.speakers) counted++;
    }
  });
  const sum = (field: keyof DiarizationErrors) => errors.reduce((total, each) => total + each[field], 0);
  const share = (frames: number) => `${((100 * frames) / sum('spoken')).toFixed(1)} %`;
  const seconds = chosen.reduce((total, { samples }) => total + samples.length, 0) / RATE;
  return {
    'error rate': share(sum('confused') + sum('missed') + sum('falseAlarm')),
    confused: share(sum('confused')),
    missed: share(sum('missed')),
    'false speech': share(sum('falseAlarm')),
    'changes a minute': ((60 * changes) / seconds).toFixed(1),
    'number right': `${counted} of ${chosen.length}`,
    'CPU / real time': (cpuSeconds / seconds).toFixed(3),
  };
}

async function singleSpeakers(diarizer: Diarizer): Promise<void> {
  const recordings = speechRecordings().map(samplesOf);
  const long = recordings.filter(samples => samples.length >= LEAST_SECONDS * RATE);
  let stayed = 0;
  for (const samples of long) {
    const turns = await diarizer.diarize([samples]);
    if (new Set(turns.map(({ speaker }) => speaker)).size === 1) stayed++;
  }
  console.log(`recordings of one speaker that stay one: ${stayed} of ${long.length}`);
}
