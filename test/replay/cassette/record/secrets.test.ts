import { describe, expect, test } from 'vitest';
import type { CassetteFileLine } from '../../../../src/replay/cassette/cassetteSchema.ts';
import { lineText } from '../../../../src/replay/cassette/record/cassetteWriter.ts';
import { Secrets } from '../../../../src/replay/cassette/record/secrets.ts';

function secretsWith(...tokens: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const token of tokens) secrets.watch(token);
  return secrets;
}

const place = { ms: 0, connection: 0, frame: 0 };

describe('Secrets', () => {
  const inForm = (token: string) => new URLSearchParams({ token }).toString().slice('token='.length);
  const lower = (text: string) => text.replace(/%../g, code => code.toLowerCase());
  test.each([
    'abc/def+ghi==',
    "it's(a)token~1*",
    'open-sesame-"and"-more',
    'two words',
    'back\\slash',
    'größer.$1',
  ])('hide %s in every spelling', token => {
    const secrets = secretsWith(token);
    const inJson = JSON.stringify(token).slice(1, -1);
    for (const spelled of [
      token,
      encodeURIComponent(token),
      lower(encodeURIComponent(token)),
      inForm(token),
      lower(inForm(token)),
      inJson,
      JSON.stringify(inJson).slice(1, -1),
      Buffer.from(token).toString('base64'),
      encodeURIComponent(Buffer.from(token).toString('base64')),
    ]) {
      expect(secrets.hide(`you said ${spelled}, and ${spelled}!`)).toBe('you said [token], and [token]!');
    }
    expect(secrets.hide(token.slice(1))).toBe(token.slice(1));
  });

  test('keep ordinary words, which short tokens could equal', () => {
    expect(secretsWith('test').hide('a test')).toBe('a test');
  });

  test('forget tokens after several replacements', async () => {
    const secrets = new Secrets();
    let count = 0;
    const token = secrets.watch(async () => `generation-${count++};`) as () => Promise<string>;
    for (let turn = 0; turn < 10; turn++) await token();
    expect(secrets.hide('generation-0; generation-9;')).toBe('generation-0; [token]');
  });
});

describe('lineText', () => {
  const query = { content_type: 'audio/x-raw;layout=interleaved;format=S16LE;channels=1' };
  test.each<[token: string, line: CassetteFileLine]>([
    ['connection', { type: 'message', ...place, message: { type: 'connected', connection: 1 } }],
    ['00000000', { type: 'send', ...place, start: 0, frames: 100_000_000, frame: 100_000_000 }],
    ['S16LE;channels=1', { type: 'connect', ...place, address: 'ws://a', query }],
    ['connected', { type: 'message', ...place, message: { type: 'connected', id: 'a' } }],
    ['elements', { type: 'message', ...place, message: { elements: [] } }],
    ['async-only', { type: 'event', ms: 0, event: { type: 'hole', ts: 0, endTs: 1, cause: 'async-only' } }],
  ])('keeps the fields that the format needs when the token is %s', (token, line) => {
    expect(JSON.parse(lineText(line, text => secretsWith(token).hide(text)))).toEqual(line);
  });

  test('hides a token in text from others', () => {
    const secrets = secretsWith('nnnnnnnn');
    const textOf = (line: CassetteFileLine) => JSON.parse(lineText(line, text => secrets.hide(text)));
    const message = { elements: [{ type: 'text', value: 'a\nnnnnnnnn' }] };
    const hidden = { elements: [{ type: 'text', value: 'a\n[token]' }] };
    expect(textOf({ type: 'message', ...place, message })).toMatchObject({ message: hidden });
    const printed = textOf({ type: 'message', ...place, text: JSON.stringify(message, null, 1) });
    expect(printed).toEqual({ type: 'message', ...place, message: hidden });
    expect(textOf({ type: 'message', ...place, text: 'hm nnnnnnnn' })).toMatchObject({ text: 'hm [token]' });
    expect(textOf({ type: 'close', ...place, by: 'service', code: 4001, reason: 'nnnnnnnn?' })).toMatchObject(
      {
        reason: '[token]?',
      },
    );
    const status = { type: 'failed', error: { message: 'bad nnnnnnnn' } };
    expect(textOf({ type: 'status', ms: 0, status })).toMatchObject({
      status: { error: { message: 'bad [token]' } },
    });
  });
});
