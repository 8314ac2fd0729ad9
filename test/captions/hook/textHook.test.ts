import { from, lastValueFrom, of, Subject, tap, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { captionSteps } from '../../../src/captions/captionSteps.ts';
import {
  checkHook,
  checkHookOptions,
  type TextHookOptions,
  textHook,
} from '../../../src/captions/hook/textHook.ts';
import { captionDisplays } from '../../../src/captions/rows/captionDisplay.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { captionStory } from '../../helpers/captionStory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { hooked, nodeProgram, numberedSentences, runHook, seenIn } from '../../helpers/hookedRun.ts';
import { type GivenAnswer, startHttpService, type TakenRequest } from '../../helpers/httpService.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { final, hole, partial, repair, silence } from '../../helpers/transcriptEvents.ts';

const CAPITALS = `sed -u 's/.*/\\U&/'`;

/** Short waits before another attempt; time-outs are those of the machine. */
const HURRIED = { clock: hurriedClock, timeoutMs: 60_000, maxWaitMs: 60_000 };

describe('a text hook with a program', () => {
  it('replaces each sentence by the answer, in order', async () => {
    const events = [
      partial('good', 0, 1),
      final('Good morning. How are you', 0, 2),
      silence(2, 3),
      hole(3, 4),
      final('Fine', 4, 5),
    ];
    expect(await runHook(events, { target: `sed -u 's/ /_/g'` })).toEqual({
      seen: ['Good_morning.', 'How_are_you', 'silence', 'hole', 'Fine'],
      notes: [],
      counts: { answered: 3, givenUp: 0 },
    });
  });

  it('takes JSON in any order, and ignores other lines', async () => {
    const target = nodeProgram(`
      const all = [];
      for await (const line of lines) {
        all.push(JSON.parse(line));
        console.log('loading');
        if (all.length < 2) continue;
        for (const { id, ...rest } of all.reverse()) console.log(JSON.stringify({ id, text: JSON.stringify(rest) }));
      }`);
    const events = [final('One.', 0, 1, 4), { ...final('Two.', 1, 2), channel: 1 }];
    const { seen } = await runHook(events, { target, format: 'json', language: 'en' });
    expect(seen).toEqual([
      '{"text":"One.","speaker":4,"language":"en","ts":0,"end_ts":1}',
      '{"text":"Two.","channel":1,"language":"en","ts":1,"end_ts":2}',
    ]);
  });

  it('shows nothing for an empty answer', async () => {
    const { seen } = await runHook(numberedSentences(2), { target: `sed -u 's/.*0.*//'` });
    expect(seen).toEqual(['silence', 'Sentence 1.']);
  });

  it('ignores lines of text that come after the answer', async () => {
    const events$ = new Subject<LiveEvent>();
    const results: LiveEvent[] = [];
    const target = `sed -u 's/$/\\nand more\\nand more/'`;
    const ended = lastValueFrom(hooked(events$, { target }).events$.pipe(tap(event => results.push(event))));
    for (const [index, event] of numberedSentences(3).entries()) {
      events$.next(event);
      await eventually(() => expect(results).toHaveLength(index + 1));
    }
    events$.complete();
    await ended;
    expect(seenIn(results)).toEqual(['Sentence 0.', 'Sentence 1.', 'Sentence 2.']);
  });

  it('gives up answers that are too long', async () => {
    const target = `sed -u ${Array.from({ length: 9 }, () => "-e '/0/s/.*/&&/'").join(' ')}`;
    const { seen, notes } = await runHook(numberedSentences(2), { target });
    expect(seen).toEqual(['hole', 'Sentence 1.']);
    expect(notes[0]).toBe('The text hook fails: An answer was longer than 2000 characters.');
  });

  it('keeps a bounded number of sentences for a slow program, the latest ones', async () => {
    const target = `sh -c 'while read -r line; do sleep 0.02; echo "$line"; done'`;
    const { seen, counts } = await runHook(numberedSentences(200), { target, maxWaiting: 4 });
    expect(seen).toHaveLength(200);
    expect(seen.slice(-4)).toEqual([196, 197, 198, 199].map(index => `Sentence ${index}.`));
    expect(seen.filter(result => result !== 'hole')).toHaveLength(counts!.answered);
    expect(counts!.answered).toBeLessThanOrEqual(6);
  });

  it('answers a repair after the live text', async () => {
    const past = repair(hole(0, 4), final('Lost words.', 0, 4));
    const events = [final('One.', 4, 5), past, final('Two.', 5, 6)];
    const { seen } = await runHook(events, { target: CAPITALS });
    expect(seen).toEqual(['ONE.', 'TWO.', 'repair']);
  });

  it('passes on the error of the source after the last answer', async () => {
    const events$ = new Subject<LiveEvent>();
    const results: LiveEvent[] = [];
    const ended = lastValueFrom(
      hooked(events$, { target: CAPITALS }).events$.pipe(tap(event => results.push(event))),
    );
    events$.next(final('Last words.', 0, 1));
    events$.error(new Error('source'));
    await expect(ended).rejects.toThrow('source');
    expect(seenIn(results)).toEqual(['LAST WORDS.']);
  });

  it('makes live captions of the answers, with a mark for those that are missing', async () => {
    const target = `sh -c 'while read -r line; do case $line in *rather*) exit ;; esac; echo "<$line>"; done'`;
    const { events$ } = hooked(from(captionStory()), { target, ...HURRIED });
    const displays = await lastValueFrom(
      events$.pipe(captionSteps(), captionDisplays({ columns: 42, rows: 3 }), toArray()),
    );
    const text = displays.flatMap(({ settled }) => settled).join(' ');
    expect(text).toMatch(
      /^<And Mister John .* to do for them\.> <He was .* man\.> \[captions paused\] <Had he .* was\.>$/,
    );
  });

  it('gives the program no variables of rxscribe', async () => {
    process.env.RXSCRIBE_TOKEN = 'secret';
    process.env.FOR_THE_HOOK = 'yes';
    onTestFinished(() => {
      delete process.env.RXSCRIBE_TOKEN;
      delete process.env.FOR_THE_HOOK;
    });
    const target = `sh -c 'while read -r line; do echo "$RXSCRIBE_TOKEN,$FOR_THE_HOOK"; done'`;
    expect((await runHook(numberedSentences(1), { target })).seen).toEqual([',yes']);
  });
});

/** A service that answers sentences as the test says. */
async function hookService(answer: (sentence: { text: string }, request: TakenRequest) => GivenAnswer) {
  const service = await startHttpService(request => answer(request.json(), request));
  return { ...service, target: `${service.url}/translate?key=secret-key` };
}

describe('a text hook with a web address', () => {
  it('posts each sentence as JSON, and shows text or JSON', async () => {
    const { target, requests } = await hookService(({ text }) =>
      text.includes('0')
        ? { json: { text: `<${text}>\nand more` } }
        : { text: `(${text})\n`, headers: { 'content-type': 'text/plain' } },
    );
    const { seen } = await runHook(numberedSentences(2), { target, token: 't0ken', language: 'en' });
    expect(seen).toEqual(['<Sentence 0.> and more', '(Sentence 1.)']);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/translate?key=secret-key' });
    expect(requests[0]!.headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'content-type': 'application/json',
    });
    expect(requests.map(request => request.json().id).sort()).toEqual([1, 2]);
    expect(requests.find(request => request.json().id === 2)!.json()).toEqual({
      id: 2,
      text: 'Sentence 1.',
      language: 'en',
      ts: 1,
      end_ts: 2,
    });
  });

  it('keeps the order of the sentences, with few requests at a time', async () => {
    let now = 0;
    let most = 0;
    const service = await startHttpService(async request => {
      most = Math.max(most, ++now);
      const { id, text } = request.json();
      for (let turn = 0; turn < 20 - id; turn++) await new Promise(setImmediate);
      now--;
      return { json: { text } };
    });
    const { seen } = await runHook(numberedSentences(12), { target: service.url });
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `Sentence ${index}.`));
    expect(most).toBeLessThanOrEqual(4);
  });

  it('tries once more after a failure that may pass, and gives up other sentences', async () => {
    const asked = new Map<string, number>();
    const { target } = await hookService(({ text }) => {
      const times = (asked.get(text) ?? 0) + 1;
      asked.set(text, times);
      if (text.includes('0')) return { status: times === 1 ? 503 : 200, json: { text } };
      if (text.includes('1')) return { status: 404 };
      if (text.includes('2')) return { json: { translation: 'x' } };
      return text.includes('3') ? { text: 'not JSON' } : { json: { text } };
    });
    const { seen, notes } = await runHook(numberedSentences(5), { target, ...HURRIED });
    expect(seen).toEqual(['Sentence 0.', 'hole', 'hole', 'hole', 'Sentence 4.']);
    expect([...asked.values()].sort()).toEqual([1, 1, 1, 1, 2]);
    expect(notes.join(' ')).toContain('The text hook fails: ');
    expect(notes.join(' ')).not.toContain('secret');
  });

  it('does not follow redirects, and reads a bounded answer', async () => {
    const { target, requests } = await hookService(({ text }) =>
      text.includes('0')
        ? { status: 307, headers: { location: '/other' } }
        : { text: `"${'x'.repeat(100_000)}"` },
    );
    const { seen, notes } = await runHook(numberedSentences(2), { target });
    expect(seen).toEqual(['hole', 'hole']);
    expect(notes).toHaveLength(1);
    expect(requests).toHaveLength(2);
  });
});

describe('the options of a text hook', () => {
  it.each<[Partial<TextHookOptions>, string]>([
    [{ target: 'no-such-program -x' }, "The program 'no-such-program' of the hook is not on the PATH."],
    [{ target: 'http://' }, 'The address of the hook is not a web address.'],
    [{ target: 'https://user:pw@translate.example/' }, "at 'translate.example' has a user name or password"],
    [{ timeoutMs: 0 }, "Option 'timeoutMs' must be a number above 0"],
    [{ maxWaiting: 1.5 }, "Option 'maxWaiting' must be an integer above 0"],
  ])('refuse %j', (options, message) => {
    expect(() => checkHookOptions({ target: 'cat', ...options })).toThrow(message);
    expect(() => of<LiveEvent>().pipe(textHook({ target: 'cat', ...options }))).toThrow(message);
  });
});

describe('the check of a text hook', () => {
  it('shows the answer to a test sentence', async () => {
    await expect(checkHook({ target: CAPITALS })).resolves.toMatch(
      /^The hook answered 'This is a test\.' with 'THIS IS A TEST\.' in \d+\.\d s\.$/,
    );
  });

  it('reports the refusal of an address, without its query', async () => {
    const { target } = await hookService(() => ({ status: 401 }));
    await expect(checkHook({ target })).rejects.toThrow(/^'127\.0\.0\.1:\d+' answered with status 401\.$/);
  });
});
