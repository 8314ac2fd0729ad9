import { expect, test } from 'vitest';
import { correctedPhrases } from '../../../../src/service/tasks/human/correctedPhrases.ts';
import { correctionsIn } from '../../../../src/service/tasks/human/finishHuman.ts';
import { parseHumanText } from '../../../../src/service/tasks/human/humanText.ts';

const seconds = (index: number) => ({ ts: index, endTs: index + 0.5 });

/** Returns the phrases that the text of a person has in place of the words of a machine. */
function phrasesOf(machine: string, person: string): Readonly<Record<string, number>> {
  const elements = machine
    .split(' ')
    .map((value, index) => ({ type: 'text', value, ...seconds(index) }) as const);
  const draft = { transcript: { monologues: [{ speaker: 0, elements }] }, seconds: 1000 };
  const work = parseHumanText(person);
  return Object.fromEntries(correctedPhrases(work, correctionsIn(work, draft, {})));
}

test('names and unusual words that a person writes in place of others are phrases, with the number of places', () => {
  expect(
    phrasesOf(
      'we met a conquer in end hoven and a conquer took the ox car basic pin',
      'We met Okonkwo in Eindhoven, and Okonkwo took the oxcarbazepine.',
    ),
  ).toEqual({ Okonkwo: 2, Eindhoven: 1, oxcarbazepine: 1 });
});

test('usual words are no phrases, nor are words of the machine', () => {
  expect(phrasesOf('their house is an old barn', 'There house was an old barn.')).toEqual({});
  expect(phrasesOf('we met okonkwo at the store', 'We met Okonkwo at the door.')).toEqual({});
});

test('a name of several words is a phrase where one of them was changed, and its ending is not part of it', () => {
  const machine = 'yes mary an dash wood came and mary an dash wood s dog';
  const person = 'Yes, Marianne Dashwood came, and Marianne Dashwood’s dog.';
  expect(phrasesOf(machine, person)).toMatchObject({ 'Marianne Dashwood': 2, Dashwood: 2 });
});

test('a word with a hyphen is a phrase, though its parts are usual words', () => {
  const person = 'He was not ill-disposed, and well-known.';
  expect(phrasesOf('he was not ill sposed and well-known', person)).toEqual({ 'ill-disposed': 1 });
});

test('words that no vocabulary takes are no phrases, and a job has 200 at most', () => {
  expect(phrasesOf('so it is', `so ${'long-'.repeat(20)}winded it is`)).toEqual({});
  const names = Array.from(
    { length: 300 },
    (_, n) => `x${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}-zu`,
  );
  expect(Object.keys(phrasesOf('so it is', `so ${names.join(' ')} it is`))).toHaveLength(200);
});

test('text without a word has no phrases', () => {
  expect(phrasesOf('so it is', '[inaudible]')).toEqual({});
});
