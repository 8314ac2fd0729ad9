import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, delay, systemClock } from '../../../../src/base/clock.ts';
import { InvalidArgumentError } from '../../../../src/base/errors.ts';
import type { CaptionStep } from '../../../../src/captions/captionStep.ts';
import { checkObsOptions, type ObsOutputOptions } from '../../../../src/captions/outputs/obs/obsOptions.ts';
import { checkObs, obsOutput } from '../../../../src/captions/outputs/obs/obsOutput.ts';
import { repaintMs } from '../../../../src/captions/outputs/obs/streamCaptions.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { advanceUntil } from '../../../helpers/advanceUntil.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { hurriedClock } from '../../../helpers/hurriedClock.ts';
import { type ObsServer, startObs } from '../../../helpers/obsServer.ts';
import { says } from '../page/pageClient.ts';

const TEXT_KIND = 'text_ft2_source_v2';

const off: CaptionStep = { type: 'off' };

/** Milliseconds by which a timer may be early. */
const EARLY_MS = 1;

/** A limit that the hurried clock leaves as it is. */
const timeoutMs = 60_000;

/** Creates an output that connects again at once, closed with the test, and its notes. */
function openOutput(options: ObsOutputOptions) {
  const notes: string[] = [];
  const output = obsOutput({ onNote: note => notes.push(note), clock: hurriedClock, timeoutMs, ...options });
  onTestFinished(() => output.close());
  return { output, notes };
}

async function obsWithText(options: { password?: string } = {}): Promise<ObsServer> {
  const obs = await startObs(options);
  obs.addInput('Captions', TEXT_KIND, { text: 'of an earlier run' });
  return obs;
}

describe('a text source of OBS', () => {
  it('shows the rows as lines, without a stream', async () => {
    const obs = await obsWithText({ password: 'secret' });
    const { output } = openOutput({
      url: obs.url,
      password: 'secret',
      source: 'Captions',
      columns: 12,
    });
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    output.take(says('Good morning, everybody.'));
    await eventually(() => expect(obs.textOf('Captions')).toBe('morning,\neverybody.'));
  });

  it('never shows a typed phrase that was taken back before it was sent, and keeps one that was sent', async () => {
    const first = await startObs();
    const { port, url } = first;
    await first.stop();
    const { output, notes } = openOutput({ url, source: 'Captions' });
    const said = (text: string, ts: number) => {
      const step = says(text);
      output.take({ ...step, added: step.added.map(word => ({ ...word, ts })) });
    };
    said('Good evening.', 1);
    said('Mister Smyth.', 2);
    expect(output.retract!({ type: 'retract', fromTs: 2 })).toBe(true);
    await eventually(() => expect(notes.length).toBeGreaterThan(0));
    const obs = await startObs({ port });
    obs.addInput('Captions', TEXT_KIND);
    await eventually(() => expect(obs.textOf('Captions')).toBe('Good evening.'));
    said('Mister Smith.', 3);
    await eventually(() => expect(obs.textOf('Captions')).toBe('Good evening. Mister Smith.'));
    expect(output.retract!({ type: 'retract', fromTs: 3 })).toBe(false);
  });

  it('shows the present rows when OBS starts later than the output', async () => {
    const first = await startObs();
    const { port, url } = first;
    await first.stop();
    const { output, notes } = openOutput({ url, source: 'Captions' });
    output.take(says('Are you there?'));
    await eventually(() => expect(notes).toEqual([expect.stringContaining('Cannot reach OBS at ')]));
    const obs = await startObs({ port });
    obs.addInput('Captions', TEXT_KIND);
    await eventually(() => expect(obs.textOf('Captions')).toBe('Are you there?'));
    await eventually(() => expect(notes.at(-1)).toBe('Output obs works again.'));
    expect(output.report().failure).toBeUndefined();
  });

  it('shows the present rows after a restart of OBS', async () => {
    const obs = await obsWithText();
    const { port } = obs;
    const { output, notes } = openOutput({ url: obs.url, source: 'Captions' });
    output.take(says('One.'));
    await eventually(() => expect(obs.textOf('Captions')).toBe('One.'));
    await obs.stop();
    await eventually(() => expect(notes.length).toBeGreaterThan(0));
    output.take(says('Two.'));
    const next = await startObs({ port });
    next.addInput('Captions', TEXT_KIND);
    await eventually(() => expect(next.textOf('Captions')).toBe('One. Two.'));
  });

  it('is used as soon as it exists, and named once until then', async () => {
    const obs = await startObs();
    const { output, notes } = openOutput({ url: obs.url, source: 'Captions' });
    output.take(says('Here.'));
    const missing =
      "Output obs fails: OBS has no source 'Captions'. Add a text source of this name to a scene.";
    await eventually(() => expect(notes).toEqual([missing]));
    obs.addInput('Captions', TEXT_KIND);
    await eventually(() => expect(obs.textOf('Captions')).toBe('Here.'));
    await eventually(() => expect(notes).toEqual([missing, 'Output obs works again.']));
  });

  it('is named when it is removed', async () => {
    const obs = await obsWithText();
    const { output, notes } = openOutput({ url: obs.url, source: 'Captions' });
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    obs.inputs.delete('Captions');
    output.take(says('Gone.'));
    await eventually(() => expect(notes[0]).toContain("OBS has no source 'Captions'. Add a text source"));
  });

  it('is refused when it shows something else than its text', async () => {
    const obs = await startObs();
    obs.addInput('Browser', 'browser_source');
    obs.addInput('File', 'text_gdiplus_v3', { read_from_file: true });
    const { notes } = openOutput({ url: obs.url, source: 'Browser' });
    await eventually(() => expect(notes[0]).toContain("of kind 'browser_source'. Name a text source."));
    const { notes: ofFile } = openOutput({ url: obs.url, source: 'File' });
    await eventually(() => expect(ofFile[0]).toContain('reads its text from a file'));
    const { notes: ofScene } = openOutput({ url: obs.url, source: 'Scene' });
    await eventually(() => expect(ofScene[0]).toContain('is a scene or a group. Name a text source.'));
    expect(obs.texts).toEqual([]);
  });

  it('is emptied by off, also when texts follow each other, and by close', async () => {
    const obs = await obsWithText();
    const { output } = openOutput({ url: obs.url, source: 'Captions' });
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    output.take(says('Not for'));
    output.take(says('your ears.'));
    output.take(off);
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    output.take(says('Again.'));
    await eventually(() => expect(obs.textOf('Captions')).toBe('Again.'));
    await output.close();
    expect(obs.textOf('Captions')).toBe('');
  });
});

describe('the connection to OBS', () => {
  it('is made again when OBS no longer answers, although the socket is open', async () => {
    const obs = await obsWithText();
    // Only while OBS is frozen, requests time out sooner than they would.
    const clock: Clock = {
      ...hurriedClock,
      schedule: (delayMs, callback) =>
        delayMs === timeoutMs && obs.isFrozen
          ? systemClock.schedule(100, callback)
          : hurriedClock.schedule(delayMs, callback),
    };
    const { output, notes } = openOutput({ url: obs.url, source: 'Captions', heartbeatMs: 1000, clock });
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    obs.isFrozen = true;
    output.take(says('Awake?'));
    await eventually(() => expect(notes.join(' ')).toContain('did not answer within 60 s'));
    obs.isFrozen = false;
    await eventually(() => expect(obs.textOf('Captions')).toBe('Awake?'));
    expect(obs.identified).toBeGreaterThan(1);
  });

  it('names a wrong password, a missing one, and a server of another kind', async () => {
    const { url } = await startObs({ password: 'secret' });
    await expect(checkObs({ url, password: 'wrong', captions: true })).rejects.toMatchObject({
      code: 'unauthorized',
      message: `OBS at '${new URL(url).host}' refused the password.`,
    });
    await expect(checkObs({ url, captions: true })).rejects.toThrow('requires a password');
    const { notes } = openOutput({ url, password: 'wrong', source: 'Captions' });
    await eventually(() => expect(notes[0]).toContain('refused the password'));
  });

  it('is closed with the code of a normal end', async () => {
    const obs = await obsWithText();
    // In virtual time, OBS has all the time it needs to confirm it.
    const clock = new VirtualClock();
    const { output } = openOutput({ url: obs.url, source: 'Captions', clock });
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    await output.close();
    await checkObs({ url: obs.url, source: 'Captions', clock });
    await eventually(() => expect(obs.closeCodes).toEqual([1000, 1000]));
    expect(clock.pending).toBe(0);
  });

  it('is closed although OBS no longer reads', async () => {
    const obs = await obsWithText();
    const clock = new VirtualClock();
    const { output } = openOutput({ url: obs.url, source: 'Captions', clock });
    await eventually(() => expect(obs.textOf('Captions')).toBe(''));
    obs.stall();
    await advanceUntil(clock, 100, output.close());
    expect(obs.closeCodes).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is closed while OBS is away', async () => {
    const obs = await startObs();
    const { url } = obs;
    await obs.stop();
    const { output } = openOutput({ url, source: 'Captions' });
    output.take(says('Nobody is there.'));
    await output.close();
    await output.close();
  });
});

describe('captions in the stream of OBS', () => {
  it('begin with the stream, and wait for it without a failure', async () => {
    const obs = await startObs();
    const { output, notes } = openOutput({ url: obs.url, captions: true });
    output.take(says('Before the stream.'));
    const waits = 'OBS does not stream yet; its captions begin when it does.';
    await eventually(() => expect(notes).toEqual([waits]));
    expect(obs.captions).toEqual([]);
    obs.setStreaming(true);
    await eventually(() => expect(obs.captions).toEqual(['Before the stream.']));
    obs.setStreaming(false);
    output.take(says('Not sent.'));
    obs.setStreaming(true);
    await eventually(() => expect(obs.captions.at(-1)).toBe('Before the stream. Not sent.'));
    expect(notes).toEqual([waits]);
    expect(output.report()).toMatchObject({ failures: 0 });
    await output.close();
    expect(obs.captions.at(-1)).toBe('');
  });

  it('report the characters that they cannot have once', async () => {
    const obs = await startObs();
    const { output, notes } = openOutput({ url: obs.url, captions: true });
    output.take(says('Café'));
    output.take(says('你好'));
    output.take(says('吗'));
    const note = "Captions in the stream have '?' for characters that CEA-608 lacks, such as 你 好.";
    await eventually(() => expect(notes.filter(each => each.includes('608'))).toEqual([note]));
  });

  it('are the whole display each time, never cut, and never faster than CEA-608 carries them', async () => {
    const obs = await startObs();
    obs.isStreaming = true;
    const { output } = openOutput({ url: obs.url, captions: true });
    const startedAt = performance.now();
    for (let index = 0; index < 60; index++) {
      output.take(says(`ÄÖÜ-${index} déjà vu — naïve façade`));
      // A phrase each 0.1 s, on a clock that is a hundred times as fast.
      await delay(100, { clock: hurriedClock });
    }
    await eventually(() => expect(obs.captions.at(-1)).toContain('ÄÖÜ-59'));
    for (const text of obs.captions) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(128);
      expect(text).not.toContain('\uFFFD');
      for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(32);
    }
    expect(output.report().skipped).toBeGreaterThan(0);
    expect(obs.captions.length).toBeGreaterThan(2);
    const busyMs = obs.captions.slice(0, -1).reduce((sum, text) => sum + repaintMs(text) / 100, 0);
    const takenMs = obs.captionTimes.at(-1)! - startedAt;
    expect(takenMs).toBeGreaterThan(busyMs - EARLY_MS * obs.captions.length);
  });

  it('have names of speakers in the characters of CEA-608', async () => {
    const obs = await startObs();
    obs.isStreaming = true;
    const { output } = openOutput({ url: obs.url, captions: true });
    output.take({
      type: 'words',
      added: [{ id: 1, text: 'Dzień', opensTurn: true, speaker: 'Łucja' }],
      tail: [],
      wording: new Map(),
    });
    await eventually(() => expect(obs.captions).toEqual(['>> Lucja: Dzien']));
  });

  it('are cleared at once by off', async () => {
    const obs = await startObs();
    obs.isStreaming = true;
    const { output } = openOutput({ url: obs.url, captions: true });
    output.take(says('One'));
    await eventually(() => expect(obs.captions).toEqual(['One']));
    output.take(says('two'));
    output.take(off);
    await eventually(() => expect(obs.captions.at(-1)).toBe(''));
    expect(obs.captions.length).toBeLessThanOrEqual(3);
  });
});

describe('a followed input of OBS', () => {
  /** Opens an output that follows `Mic`, and collects what it emits. */
  function follow(url: string, inScene: boolean) {
    const { output, notes } = openOutput({ url, follow: { input: 'Mic', inScene }, heartbeatMs: 1000 });
    const states: boolean[] = [];
    output.onAir$.subscribe(isOnAir => states.push(isOnAir));
    return { states, notes };
  }

  it('is on air while it is not muted, and never before OBS has answered', async () => {
    const obs = await startObs();
    obs.addInput('Mic', 'pulse_input_capture');
    obs.inputs.get('Mic')!.isActive = false;
    const { states } = follow(obs.url, false);
    await eventually(() => expect(states).toEqual([false, true]));
    obs.setMuted('Mic', true);
    await eventually(() => expect(states).toEqual([false, true, false]));
    obs.setMuted('Mic', false);
    await eventually(() => expect(states).toEqual([false, true, false, true]));
  });

  it('is off air while it is not in the scene of the program, if so asked', async () => {
    const obs = await startObs();
    obs.addInput('Mic', 'pulse_input_capture');
    const { states } = follow(obs.url, true);
    await eventually(() => expect(states).toEqual([false, true]));
    obs.setActive('Mic', false);
    await eventually(() => expect(states).toEqual([false, true, false]));
    obs.setMuted('Mic', true);
    obs.setActive('Mic', true);
    obs.setMuted('Mic', false);
    await eventually(() => expect(states).toEqual([false, true, false, true]));
  });

  it('is found by the next heartbeat where an event was missed, and keeps its state without a connection', async () => {
    const obs = await startObs();
    obs.addInput('Mic', 'pulse_input_capture');
    const { states, notes } = follow(obs.url, false);
    await eventually(() => expect(states).toEqual([false, true]));
    obs.inputs.get('Mic')!.isMuted = true;
    await eventually(() => expect(states).toEqual([false, true, false]));
    obs.inputs.get('Mic')!.isMuted = false;
    await eventually(() => expect(states).toEqual([false, true, false, true]));
    await obs.stop();
    await eventually(() => expect(notes.length).toBeGreaterThan(0));
    expect(states.at(-1)).toBe(true);
  });

  it('is off air when it is missing, or has no sound', async () => {
    const obs = await obsWithText();
    const { notes: ofText } = openOutput({ url: obs.url, follow: { input: 'Captions' } });
    await eventually(() => expect(ofText).toEqual(["Output obs fails: OBS has no audio input 'Captions'."]));
    const { states, notes } = follow(obs.url, false);
    await eventually(() => expect(notes).toEqual(["Output obs fails: OBS has no audio input 'Mic'."]));
    expect(states).toEqual([false]);
    obs.addInput('Mic', 'pulse_input_capture');
    await eventually(() => expect(states).toEqual([false, true]));
  });

  it('is always on air when there is none', async () => {
    const obs = await obsWithText();
    const { output } = openOutput({ url: obs.url, source: 'Captions' });
    const states: boolean[] = [];
    output.onAir$.subscribe(isOnAir => states.push(isOnAir));
    expect(states).toEqual([true]);
  });
});

describe('checkObs', () => {
  it('describes what it finds', async () => {
    const obs = await obsWithText({ password: 'secret' });
    obs.addInput('Mic', 'pulse_input_capture');
    const options = { url: obs.url, password: 'secret', source: 'Captions', follow: { input: 'Mic' } };
    expect(await checkObs(options)).toBe(
      "OBS 31.0.0 (obs-websocket 5.5.4), text source 'Captions' found, input 'Mic' on air, not streaming.",
    );
  });

  it('rejects a source that is missing, and an OBS that is away', async () => {
    const obs = await startObs();
    const { url } = obs;
    await expect(checkObs({ url, source: 'Captions' })).rejects.toMatchObject({ code: 'not-found' });
    await obs.stop();
    await expect(checkObs({ url, source: 'Captions' })).rejects.toMatchObject({ code: 'unreachable' });
  });

  it.each([
    [{ url: 'http://127.0.0.1:4455', captions: true }, "must be of the form 'ws://HOST:4455'"],
    [{ url: 'secret', captions: true }, "must be of the form 'ws://HOST:4455'"],
    [{ url: 'ws://127.0.0.1:4455' }, 'needs a text source'],
    [{ url: 'ws://127.0.0.1:4455', source: '' }, 'must have a name'],
    [{ url: 'ws://127.0.0.1:4455', source: 'a', rows: 0 }, "Option 'rows'"],
  ])('refuses %o before the event', (options, message) => {
    expect(() => checkObsOptions(options)).toThrow(InvalidArgumentError);
    expect(() => obsOutput(options)).toThrow(message);
  });
});
