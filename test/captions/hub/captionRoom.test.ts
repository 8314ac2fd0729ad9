import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { BehaviorSubject, firstValueFrom, map, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import type { CaptionStep } from '../../../src/captions/captionStep.ts';
import { PAUSED_NOTICE } from '../../../src/captions/captionSteps.ts';
import type { ControlCommand } from '../../../src/captions/control/captionControl.ts';
import type { OperatorDecisions } from '../../../src/captions/control/operatorDecisions.ts';
import { CaptionRoom, type CaptionRoomOptions } from '../../../src/captions/hub/captionRoom.ts';
import { OutputFeed } from '../../../src/captions/hub/outputFeed.ts';
import type { CaptionOutput } from '../../../src/captions/outputs/captionOutput.ts';
import { initialPageWriter, pageChanges } from '../../../src/captions/outputs/page/pageChanges.ts';
import { emptyPageText, nextPageText, type PageText } from '../../../src/captions/outputs/page/pageText.ts';
import { terminalCaptions } from '../../../src/captions/outputs/terminalCaptions.ts';
import { terminalOutput } from '../../../src/captions/outputs/terminalOutput.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { captionCues } from '../../../src/transcript/cues/captionCues.ts';
import { CAPTION_PROFILES } from '../../../src/transcript/cues/captionProfile.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { textOf as textOfElements } from '../../../src/transcript/model/model.ts';
import { advanceUntil } from '../../helpers/advanceUntil.ts';
import { type RecordingOutput, recordingOutput } from '../../helpers/recordingOutput.ts';
import { final, hole, partial } from '../../helpers/transcriptEvents.ts';

interface Scene {
  readonly room: CaptionRoom;
  readonly clock: VirtualClock;
  readonly outage$: BehaviorSubject<boolean>;
  /** An output without a delay, and one that is 10 s behind. */
  readonly live: RecordingOutput;
  readonly late: RecordingOutput;
  /** Lets audio of some seconds pass. */
  hear(seconds: number): number;
  perform(...commands: readonly ControlCommand[]): void;
}

const RATE = 1000;

interface SceneOptions
  extends Pick<CaptionRoomOptions, 'rules' | 'decisions' | 'keep' | 'takesPhrases' | 'hasStandby'> {
  readonly display?: 'words' | 'block';
  /** The output without a delay removes what is taken back. */
  readonly isRemovable?: boolean;
  /** A further output. */
  readonly output?: CaptionOutput;
}

function scene({ display = 'words', isRemovable = false, output, ...options }: SceneOptions = {}): Scene {
  const clock = new VirtualClock();
  const outage$ = new BehaviorSubject(false);
  const [live, late] = [recordingOutput(), recordingOutput('youtube')];
  if (isRemovable) {
    live.retract = step => {
      live.take(step);
      return true;
    };
  }
  const feeds = [
    new OutputFeed({ output: live, display, clock }),
    new OutputFeed({ output: late, delayMs: 10_000, clock }),
    ...(output ? [new OutputFeed({ output, clock })] : []),
  ];
  const track = { name: '', language: 'en', profile: CAPTION_PROFILES.netflix, feeds };
  const room = new CaptionRoom({ ...options, tracks: [track], language: 'en', outage$, clock });
  const audio$ = new Subject<AudioBlock>();
  let heard = 0;
  let startFrame = 0;
  audio$.pipe(room.audio()).subscribe(({ samples }) => {
    heard += samples.length / RATE;
  });
  return {
    room,
    clock,
    outage$,
    live,
    late,
    hear(seconds) {
      const before = heard;
      for (let left = seconds; left > 0; left--) {
        clock.advance(1000);
        audio$.next({ startFrame, sampleRate: RATE, channels: 1, samples: new Float32Array(RATE) });
        startFrame += RATE;
      }
      return heard - before;
    },
    perform(...commands) {
      for (const command of commands) void room.control.perform(command);
    },
  };
}

/** Returns the text of a page that was given steps. */
function pageTextOf(steps: readonly CaptionStep[]): PageText {
  let writer = initialPageWriter;
  return steps.reduce((text: PageText, step) => {
    const { state, changes } = pageChanges(writer, step);
    writer = state;
    return changes.reduce(nextPageText, text);
  }, emptyPageText);
}

const textOf = ({ settled, rows }: RecordingOutput) => [...settled, ...rows].join(' ');

describe('a caption room', () => {
  test('shows the same words on every output, each after its own delay', async () => {
    const { room, clock, live, late, hear } = scene();
    hear(2);
    room.take(final('Good morning.', 0, 2));
    expect(live.rows).toEqual(['Good morning.']);
    clock.advance(9999);
    expect(late.rows).toEqual([]);
    clock.advance(1);
    expect(late.rows).toEqual(['Good morning.']);
    await advanceUntil(clock, 1000, room.close());
    expect([live.settled, late.settled]).toEqual([['Good morning.'], ['Good morning.']]);
    expect([live.isClosed, late.isClosed]).toEqual([true, true]);
    expect(clock.pending).toBe(0);
  });

  test('shows waiting captions at its end, each in its time, or at once on request', async () => {
    for (const atOnce of [false, true]) {
      const { room, clock, late } = scene();
      room.take(final('Good night.', 0, 2));
      const signal = atOnce ? AbortSignal.abort() : undefined;
      await (atOnce ? room.close(signal) : advanceUntil(clock, 1000, room.close()));
      expect(late.settled).toEqual(['Good night.']);
    }
  });

  test('has a notice during an outage and after a pause, and only one for the hole of a pause', () => {
    const { room, live, outage$, hear, perform } = scene();
    room.take(final('One.', 0, 1));
    outage$.next(true);
    outage$.next(false);
    room.take(final('Two.', 1, 2));
    hear(2);
    perform({ type: 'pause' });
    expect(hear(3)).toBe(0);
    perform({ type: 'start' });
    hear(1);
    room.take(hole(2, 5, 'gap'));
    room.take(final('Three.', 5, 6));
    room.take(hole(6, 8, 'gap'));
    expect(textOf(live)).toBe(`One. ${PAUSED_NOTICE} Two. ${PAUSED_NOTICE} Three. ${PAUSED_NOTICE}`);
  });

  test('recognises nothing while it is paused, killed or off air', () => {
    const { room, hear, perform } = scene();
    expect(hear(2)).toBe(2);
    perform({ type: 'pause' });
    expect(hear(2)).toBe(0);
    perform({ type: 'start' });
    expect(hear(2)).toBe(2);
    perform({ type: 'kill' });
    expect(hear(2)).toBe(0);
    perform({ type: 'start' });
    room.setOnAir(false);
    expect(hear(2)).toBe(0);
    room.setOnAir(true);
    expect(hear(2)).toBe(2);
  });

  test('shows no word that was on its way when it was paused, but keeps it for the transcript', () => {
    const { room, live, perform } = scene();
    perform({ type: 'pause' });
    room.take(final('Too late.', 0, 1));
    expect(textOf(live)).toBe(PAUSED_NOTICE);
    expect(live.steps.map(({ type }) => type)).toContain('transcript');
  });

  test('removes everything at once when it is killed, waiting captions included, and shows only speech after the next start', () => {
    const { room, clock, live, late, perform } = scene();
    room.take(final('A secret.', 0, 1));
    perform({ type: 'kill' });
    expect(live.rows).toEqual([]);
    expect(live.steps.at(-1)).toEqual({ type: 'off' });
    room.take(final('Another one.', 1, 2));
    clock.advance(20_000);
    expect(textOf(late)).toBe('');
    perform({ type: 'start' });
    room.take(final('Welcome back.', 20, 21));
    clock.advance(10_000);
    expect([textOf(live), textOf(late)]).toEqual(['Welcome back.', 'Welcome back.']);
  });

  test('shows nothing that was said before it was killed, however soon it is started again', () => {
    const { room, clock, live, hear, perform } = scene();
    hear(2);
    room.take(final('A secret', 0, 1));
    for (const end of [1.5, 1.7, 2]) room.take(partial('another one', 1.1, end));
    perform({ type: 'kill' });
    room.take(final('A late one.', 1, 2));
    perform({ type: 'start' });
    const before = live.steps.length;
    clock.advance(20_000);
    room.take(final('Another one still.', 1.1, 2));
    hear(1);
    room.take(final('Welcome back.', 22, 23));
    expect(textOf(live)).toBe('Welcome back.');
    clock.advance(20_000);
    perform({ type: 'kill' }, { type: 'start' });
    perform({ type: 'take-over' }, { type: 'type', text: 'What we type is shown.' });
    expect(live.rows).toEqual(['What we type is shown.']);
    clock.advance(20_000);
    const cues = live.steps.slice(before).flatMap(step => (step.type === 'cues' ? step.cues : []));
    expect(cues.map(({ lines }) => lines.join(' '))).toEqual(['Welcome back.', 'What we type is shown.']);
    const texts = live.steps.flatMap(step =>
      step.type === 'transcript' ? [JSON.stringify(step.transcript)] : [],
    );
    expect(texts.at(-1)).toContain('still');
  });

  test('drops captions that a delayed output has not shown', () => {
    const { room, clock, live, late, perform } = scene();
    room.take(final('First.', 0, 1));
    clock.advance(10_000);
    room.take(final('Second.', 10, 11));
    perform({ type: 'unsend' });
    room.take(final('Third.', 11, 12));
    clock.advance(10_000);
    expect([textOf(live), textOf(late)]).toEqual(['First. Second. Third.', 'First. Third.']);
  });

  test('settles the rows of an utterance whose later words were taken back', () => {
    const { room, clock, late, perform } = scene();
    for (const end of [2, 3, 4, 5]) room.take(partial('one two three', 0, end));
    clock.advance(9000);
    room.take(final('One two three four.', 0, 6));
    clock.advance(1000);
    expect(late.rows).not.toEqual([]);
    perform({ type: 'unsend' });
    clock.advance(10_000);
    room.take(final('Five.', 30, 31));
    clock.advance(30_000);
    expect(late.settled).toEqual(['One two', 'Five.']);
  });

  test('shows typed text in place of recognised words, until it is handed back', () => {
    const { room, live, hear, perform } = scene();
    hear(2);
    room.take(partial('the queen is', 0, 2));
    perform({ type: 'take-over' }, { type: 'type', text: 'The Queen is here.' });
    room.take(final('The queen is hair.', 0, 3));
    hear(2);
    perform({ type: 'type', text: 'Please rise.' });
    room.take(partial('freeze rise', 3, 4));
    perform({ type: 'hand-back' });
    room.take(final('Freeze rise.', 3, 4));
    hear(2);
    room.take(final('Thank you.', 5, 6));
    expect(textOf(live)).toBe('the queen is The Queen is here. Please rise. Thank you.');
  });

  test('shows what is spoken in the middle of a sentence when it is handed back', () => {
    const { room, live, hear, perform } = scene();
    hear(1);
    perform({ type: 'take-over' }, { type: 'type', text: 'One two.' });
    hear(2);
    perform({ type: 'hand-back' });
    room.take(partial('one two three', 0, 3));
    expect(textOf(live)).toBe('One two.');
    room.take(partial('one two three four', 0, 4));
    room.take(partial('one two three four five', 0, 5));
    room.take(final('One two three four five.', 0, 5));
    room.take(final('Six.', 6, 7));
    expect([...live.settled, ...live.rows]).toEqual(['One two.', 'Four five. Six.']);
  });

  test('withdraws words that turn out to be spoken before it was handed back', () => {
    const { room, live, perform, hear } = scene();
    perform({ type: 'take-over' });
    hear(3);
    perform({ type: 'hand-back' });
    for (const end of [4, 4.1, 4.2]) room.take(partial('one two three four', 0, end));
    room.take(final('One two.', 0, 3));
    room.take(final('Five.', 5, 6));
    expect(live.rows.at(-1)).toBe('Five.');
  });

  test('completes a sentence that is taken over by the words before', () => {
    const { room, live, hear, perform } = scene();
    hear(2);
    room.take(partial('an ill', 0, 2));
    hear(2);
    perform({ type: 'take-over' });
    room.take(partial('an ill disposed young', 0, 4));
    room.take({ ...partial('call', 0, 3), channel: 1 });
    room.take(final('An ill disposed young man. Yes.', 0, 6));
    perform({ type: 'type', text: 'Typed.' });
    room.take(final('No.', 6, 7));
    expect([...live.settled, ...live.rows]).toEqual(['An ill disposed young', 'Typed.']);
  });

  test('completes a sentence at the first typed phrase, and when another utterance begins', () => {
    for (const after of ['type', 'speech'] as const) {
      const { room, live, hear, perform } = scene();
      hear(2);
      room.take(partial('an ill', 0, 2));
      perform({ type: 'take-over' });
      if (after === 'speech') room.take(partial('no', 2.5, 3));
      perform({ type: 'type', text: 'Typed.' });
      room.take(final('An ill man.', 0, 3));
      expect([...live.settled, ...live.rows], after).toEqual(['an ill', 'Typed.']);
    }
  });

  test.each(['words', 'block'] as const)(
    'typed text is a paragraph of its own, of the last speaker, in %s',
    display => {
      const { room, live, hear, perform } = scene({ display });
      const { steps } = live;
      hear(2);
      room.take({ ...final('Thank you all', 0, 2), speaker: 1 });
      perform({ type: 'take-over' });
      hear(1);
      perform({ type: 'type', text: 'For coming' }, { type: 'type', text: 'here.' }, { type: 'hand-back' });
      hear(2);
      room.take(partial('now then', 3.2, 4));
      room.take({ ...final('Now then.', 3.2, 4), speaker: 1 });
      room.take({ ...final('Good.', 4, 5), speaker: 1 });
      void room.close();
      const paragraphs = ['Thank you all', 'For coming here.', 'Now then. Good.'];
      expect([...live.settled, ...live.rows]).toEqual(paragraphs);
      expect(pageTextOf(steps).paragraphs.map(({ text }) => text)).toEqual(paragraphs);
      const cues = steps.flatMap(step => (step.type === 'cues' ? step.cues : []));
      expect(cues.map(({ lines }) => lines.join(' '))).toEqual(paragraphs);
      const transcript = steps.findLast(step => step.type === 'transcript')!.transcript;
      expect(
        transcript.monologues.map(({ speaker, elements }) => [speaker, textOfElements(elements)]),
      ).toEqual(paragraphs.map(text => [1, text]));
      expect(captionCues(transcript).map(({ lines }) => lines.join(' '))).toEqual(paragraphs);
    },
  );

  test('takes a typed phrase back where it is not shown, and marks its correction elsewhere', async () => {
    const { room, clock, live, late, perform } = scene();
    perform({ type: 'take-over' }, { type: 'type', text: 'Mister Smyth.' });
    perform({ type: 'retract' }, { type: 'type', text: 'Mister Smith.' });
    expect(textOf(live)).toBe('Mister Smyth. -- Mister Smith.');
    clock.advance(10_000);
    expect(textOf(late)).toBe('Mister Smith.');
    await room.control.perform({ type: 'retract' });
    await expect(room.control.perform({ type: 'retract' })).rejects.toThrow(
      'There is no typed phrase to take back.',
    );
  });

  test('a pipe prints no phrase that was taken back while its line was not complete, and a correction after one that was', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(line, _, done) {
        if (line.length > 0) lines.push(String(line).trimEnd());
        done();
      },
    });
    const output = terminalCaptions(terminalOutput(stream));
    const { room, clock, perform } = scene({ output });
    const type = (text: string) => ({ type: 'type', text }) as const;
    perform({ type: 'take-over' }, type('Mister Smyth.'), { type: 'retract' }, type('Mister Smith.'));
    clock.advance(30_000);
    perform(type('He is wrong.'));
    clock.advance(30_000);
    perform({ type: 'retract' }, type('He is right.'), { type: 'hand-back' });
    await advanceUntil(clock, 1000, room.close());
    expect(lines).toEqual(['Mister Smith.', 'He is wrong.', '-- He is right.']);
  });

  test.each(['words', 'block'] as const)(
    'a typed phrase that is taken back is in no transcript, caption or removable text, in %s',
    async display => {
      const { room, clock, live, late, hear, perform } = scene({ display, isRemovable: true });
      const { steps } = live;
      const kept = async () => {
        const { outputs } = await firstValueFrom(room.control.state$);
        return outputs.map(({ keepsRetracted = false }) => keepsRetracted);
      };
      hear(2);
      room.take(final('Thank you all.', 0, 2));
      perform({ type: 'take-over' });
      hear(1);
      perform({ type: 'type', text: 'This one stays.' });
      hear(1);
      perform({ type: 'type', text: 'Mister Smyth. He is wrong.' });
      room.take(hole(2, 3));
      // After the pause that clears the screen.
      hear(9);
      perform({ type: 'retract' });
      expect(await kept()).toEqual([false, false]);
      hear(1);
      perform({ type: 'type', text: 'Mister Smith.' });
      perform({ type: 'hand-back' });
      room.take(final('And now.', 14, 15));
      await advanceUntil(clock, 1000, room.close());
      const paragraphs = pageTextOf(steps).paragraphs.filter(({ kind, text }) => kind !== 'notice' && text);
      expect(paragraphs.map(({ text }) => text).join(' ')).toBe(
        'Thank you all. This one stays. Mister Smith. And now.',
      );
      for (const output of [live, late]) {
        const { transcript } = output.steps.findLast(step => step.type === 'transcript')!;
        const text = transcript.monologues.map(({ elements }) => textOfElements(elements)).join('|');
        expect(text).toBe('Thank you all.|This one stays. Mister Smith.|And now.');
        expect(transcript.coverage?.some(({ kind }) => kind === 'hole')).toBe(true);
      }
      expect(textOf(late)).not.toContain('Smyth');
    },
  );

  test('types only after it was taken over', async () => {
    const { room } = scene();
    await expect(room.control.perform({ type: 'type', text: 'Hello' })).rejects.toThrow(
      'Recognised text is shown. Take over first.',
    );
  });

  test('shows blocks in their final wording, without corrections', () => {
    const { room, live } = scene({ display: 'block' });
    for (const end of [1, 2, 3, 4, 5]) room.take(partial('good mourning every', 0, end));
    expect(live.rows).toEqual([]);
    room.take(final('Good morning, everyone.', 0, 6, 0));
    room.take(final('Hello.', 6, 7, 1));
    expect(live.rows).toEqual(['Good morning, everyone.', '>> Hello.']);
  });

  test('adds the rest of an interrupted utterance to its block when it is recognised again', () => {
    const { room, live } = scene({ display: 'block' });
    for (const end of [1, 2, 3, 4, 5]) room.take(partial('good mourning every', 0, end));
    room.take({ ...partial('yes', 0, 1), channel: 1 });
    expect(live.rows).toEqual(['Good mourning']);
    room.take(final('Good morning, everyone.', 0, 6));
    expect(live.rows).toEqual(['Good mourning everyone.']);
  });

  test('reports its state, and its outputs each second', async () => {
    const { room, clock, perform } = scene();
    room.take(final('One two three.', 0, 1));
    clock.advance(1000);
    perform(
      { type: 'ban', text: 'damn' },
      { type: 'replace', text: 'rx', by: 'Rx' },
      { type: 'language', language: 'de' },
    );
    const state = await firstValueFrom(room.control.state$);
    expect(state).toMatchObject({
      mode: 'on',
      isTyping: false,
      language: 'de',
      banned: ['damn'],
      replaced: [{ text: 'rx', by: 'Rx' }],
      outputs: [
        { name: 'terminal', delaySeconds: 0, waitingWords: 0 },
        { name: 'youtube', delaySeconds: 10, waitingWords: 3 },
      ],
    });
  });

  test('removes rules that an operator has added, and no others', async () => {
    const kept: OperatorDecisions[] = [];
    const rules = { ban: ['heck'], replace: [{ text: 'rx', by: 'Rx' }] };
    const { room, live, perform } = scene({ rules, keep: async decisions => void kept.push(decisions) });
    perform(
      { type: 'ban', text: 'damn' },
      { type: 'ban', text: 'rx' },
      { type: 'vocabulary', text: 'Eyjafjalla' },
    );
    room.take(final('No damn rx.', 0, 1));
    perform(
      { type: 'undo', rule: 'ban', text: 'damn' },
      { type: 'undo', rule: 'ban', text: 'rx' },
      { type: 'undo', rule: 'vocabulary', text: 'Eyjafjalla' },
    );
    room.take(final('A damn heck of rx.', 1, 2));
    expect(textOf(live)).toBe('No. A damn of Rx.');
    await setImmediate();
    expect(kept.at(-1)).toMatchObject({ ban: [], replace: [], addedPhrases: [] });
    await expect(room.control.perform({ type: 'undo', rule: 'ban', text: 'heck' })).rejects.toThrow(
      "No operator has added a rule for 'heck'.",
    );
  });

  test('keeps the language before one that the service has refused, which can be tried again', async () => {
    const { room, perform } = scene();
    const wanted: string[] = [];
    room.language$.subscribe(language => wanted.push(language));
    const language = async () => (await firstValueFrom(room.control.state$)).language;
    perform({ type: 'language', language: 'de' });
    room.take({ type: 'connected', id: 's1' });
    perform({ type: 'language', language: 'fr' });
    expect(await language()).toBe('fr');
    room.languageRefused();
    expect(await language()).toBe('de');
    perform({ type: 'language', language: 'fr' });
    expect(wanted).toEqual(['en', 'de', 'fr', 'fr']);
  });

  test('passes added phrases on between two utterances, each only once', async () => {
    const { room, perform } = scene();
    const added: (readonly string[])[] = [];
    room.addedPhrases$.subscribe(phrases => added.push(phrases));
    perform({ type: 'vocabulary', text: 'Marianne' });
    room.take(partial('so it', 0, 1));
    perform({ type: 'vocabulary', text: ' Dashwood ' }, { type: 'vocabulary', text: 'Marianne' });
    expect(added).toEqual([['Marianne']]);
    room.take(final('So it is.', 0, 2));
    expect(added).toEqual([['Marianne'], ['Marianne', 'Dashwood']]);
    expect((await firstValueFrom(room.control.state$)).addedPhrases).toEqual(['Marianne', 'Dashwood']);
  });

  test('keeps each decision before its command is performed, in their order, but no typed phrase', async () => {
    const kept: OperatorDecisions[] = [];
    const writing = new Subject<void>();
    const { room, clock } = scene({
      rules: { ban: ['darn'], replace: [{ text: 'rx', by: 'RX' }] },
      async keep(decisions) {
        await firstValueFrom(writing);
        kept.push(decisions);
      },
    });
    const done: string[] = [];
    const perform = async (command: ControlCommand) => {
      await room.control.perform(command);
      done.push(command.type);
    };
    const all = [
      perform({ type: 'kill' }),
      perform({ type: 'ban', text: 'rx' }),
      perform({ type: 'replace', text: 'darn', by: 'd-' }),
      perform({ type: 'take-over' }),
      perform({ type: 'type', text: 'Hello.' }),
    ];
    for (const type of ['kill', 'ban', 'replace', 'take-over']) {
      await setImmediate();
      expect(done.filter(each => each !== 'type')).not.toContain(type);
      writing.next();
    }
    await Promise.all(all);
    expect(done).toEqual(['type', 'kill', 'ban', 'replace', 'take-over']);
    const decisions = {
      atMs: clock.wallTime(),
      mode: 'off',
      isTyping: false,
      wasKilled: true,
      ban: [],
      replace: [],
      addedPhrases: [],
    };
    expect(kept[0]).toEqual(decisions);
    expect(kept.at(-1)).toEqual({
      ...decisions,
      isTyping: true,
      ban: ['rx'],
      replace: [{ text: 'darn', by: 'd-' }],
    });
  });

  test('performs a command that cannot be kept, says so, and keeps it with the next one', async () => {
    const kept: OperatorDecisions[] = [];
    let isFull = true;
    const { room } = scene({
      async keep(decisions) {
        if (isFull) throw new Error('The disk is full.');
        kept.push(decisions);
      },
    });
    await expect(room.control.perform({ type: 'kill' })).rejects.toMatchObject({
      code: 'store',
      message: 'The command is performed, but a restart would undo it. The disk is full.',
    });
    expect(await firstValueFrom(room.control.state$)).toMatchObject({ mode: 'off' });
    isFull = false;
    await room.control.perform({ type: 'ban', text: 'damn' });
    expect(kept).toMatchObject([{ mode: 'off', ban: ['damn'] }]);
  });

  test('begins with the decisions of an earlier run, until the next command', async () => {
    const decisions: OperatorDecisions = {
      atMs: 1000,
      mode: 'off',
      isTyping: true,
      language: 'de',
      ban: ['damn'],
      replace: [{ text: 'darn', by: 'd-' }],
      addedPhrases: ['Marianne'],
    };
    const { room, live, hear, perform } = scene({ rules: { ban: ['darn', 'heck'] }, decisions });
    const languages: string[] = [];
    const added: (readonly string[])[] = [];
    room.language$.subscribe(language => languages.push(language));
    room.addedPhrases$.subscribe(phrases => added.push(phrases));
    expect([languages, added]).toEqual([['de'], [['Marianne']]]);
    expect(live.steps).toEqual([{ type: 'off' }]);
    expect(await firstValueFrom(room.control.state$)).toMatchObject({
      mode: 'off',
      leftAtMs: 1000,
      isTyping: true,
      language: 'de',
      banned: ['heck', 'damn'],
      replaced: [{ text: 'darn', by: 'd-' }],
      addedPhrases: ['Marianne'],
    });
    expect(hear(5)).toBe(0);
    perform({ type: 'type', text: 'Nobody sees it.' });
    expect(textOf(live)).toBe('');
    perform({ type: 'start' }, { type: 'hand-back' });
    expect(await firstValueFrom(room.control.state$)).not.toHaveProperty('leftAtMs');
    room.take(hole(0, 5, 'gap'));
    expect(hear(2)).toBe(2);
    room.take(final('Damn, darn it, heck.', 5.5, 7));
    expect(textOf(live)).toBe('D- it.');
  });

  test('keeps the language of the options out of the decisions, and one that was refused', async () => {
    const kept: (string | undefined)[] = [];
    const { room } = scene({ keep: async ({ language }) => void kept.push(language) });
    for (const language of ['en', 'de']) await room.control.perform({ type: 'language', language });
    // The second time, nothing is taken back.
    for (let time = 1; time <= 2; time++) room.languageRefused();
    await room.close(AbortSignal.abort());
    expect(kept).toEqual([undefined, 'de', undefined]);
  });

  test('changes to another service only where there is one', async () => {
    const used: string[] = [];
    const { room } = scene({ hasStandby: true });
    room.service$.subscribe(service => used.push(service));
    await room.control.perform({ type: 'service', service: 'standby' });
    expect(used).toEqual(['standby']);
    const alone = scene().room.control.perform({ type: 'service', service: 'standby' });
    await expect(alone).rejects.toThrow('There is no standby.');
  });

  test('leaves phrases of an earlier run out beside a vocabulary of the service', () => {
    const decisions: OperatorDecisions = {
      atMs: 0,
      mode: 'on',
      isTyping: false,
      ban: [],
      replace: [],
      addedPhrases: ['Marianne'],
    };
    const { room } = scene({ decisions, takesPhrases: false });
    const added: (readonly string[])[] = [];
    room.addedPhrases$.subscribe(phrases => added.push(phrases));
    expect(added).toEqual([]);
  });

  test.each([
    ['without a letter', '12', /at least one letter/],
    [
      'beyond the space of an address',
      'many uncommon words in one phrase '.repeat(2),
      /up to 1000 characters/,
    ],
  ])('refuses a phrase %s', async (_, text, message) => {
    const { room, perform } = scene();
    for (let index = 0; index < 20; index++)
      perform({ type: 'vocabulary', text: `${'word '.repeat(9)}w${index}` });
    await expect(room.control.perform({ type: 'vocabulary', text })).rejects.toThrow(message);
  });

  test('says of a hook that fails that its text is interrupted, once, until it has text again', async () => {
    const clock = new VirtualClock();
    const [heard, output] = [recordingOutput(), recordingOutput()];
    let failure: string | undefined = 'the hook: it has ended';
    const hook = map((event: LiveEvent): LiveEvent => {
      if (event.type !== 'final' || !failure) return event;
      return { type: 'hole', ts: event.ts, endTs: event.endTs, cause: 'gave-up' };
    });
    const room = new CaptionRoom({
      tracks: [
        { feeds: [new OutputFeed({ output: heard, clock })] },
        {
          name: 'es',
          language: 'es',
          hook,
          failure: () => failure,
          feeds: [new OutputFeed({ output, clock })],
        },
      ],
      language: 'en',
      clock,
    });
    const failures = async () =>
      (await firstValueFrom(room.control.state$)).outputs.map(each => each.failure);
    expect(await failures()).toEqual([undefined, 'the hook: it has ended']);
    for (const ts of [0, 2, 4]) room.take(final('One.', ts, ts + 2));
    failure = undefined;
    clock.advance(1000);
    room.take(final('Two.', 6, 8));
    expect([...output.settled, ...output.rows]).toEqual(['The translation is interrupted.', 'Two.']);
    expect([...heard.settled, ...heard.rows].join(' ')).toBe('One. One. One. Two.');
    expect(await failures()).toEqual([undefined, undefined]);
  });

  test('shows the text of a hook on outputs of its own, without words that are banned', async () => {
    const clock = new VirtualClock();
    const [heard, loud] = [recordingOutput(), recordingOutput('page')];
    const hook = map((event: LiveEvent) =>
      event.type === 'final' ? final('GOOD DAMN MORNING.', 0, 1) : event,
    );
    const room = new CaptionRoom({
      tracks: [
        { feeds: [new OutputFeed({ output: heard, clock })] },
        { name: 'loud', hook, feeds: [new OutputFeed({ output: loud, clock })] },
      ],
      language: 'en',
      rules: { ban: ['damn'] },
      clock,
    });
    room.take(final('Good morning.', 0, 1));
    await room.close();
    expect([heard.settled, loud.settled]).toEqual([['Good morning.'], ['GOOD MORNING.']]);
  });

  test.each([
    { display: 'words', last: { p50: 3, p95: 4 } },
    { display: 'block', last: { p50: 5, p95: 6 } },
  ] as const)('reports the delay of $display from their end to their showing, by output', async shown => {
    const { room, hear, perform } = scene(shown);
    const delays = async () => {
      // Each command is followed by a report.
      perform({ type: 'start' });
      const { outputs } = await firstValueFrom(room.control.state$);
      return outputs.map(({ wordDelay }) => wordDelay);
    };
    hear(4);
    room.take(partial('one two three', 0, 3));
    for (const count of [1, 2]) room.take(partial('one two three', 0, 3 + count / 100));
    hear(1);
    room.take(partial('one two three', 0, 4));
    hear(2);
    expect(await delays()).toEqual([undefined, undefined]);
    // "One" and "two" were shown after 4 s, and "three" with the final.
    room.take(final('One two three.', 0, 3));
    hear(1);
    expect(await delays()).toEqual([shown.last, undefined]);
    hear(10);
    // The other output shows all of it ten seconds later.
    expect(await delays()).toEqual([shown.last, { p50: 13, p95: 14 }]);
    hear(60);
    expect(await delays()).toEqual([undefined, undefined]);
  });
});
