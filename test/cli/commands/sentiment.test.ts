import { expect, test } from 'vitest';
import { runCommand } from '../../helpers/commandLine.ts';
import { needsRecognizer } from '../../helpers/needs.ts';

test('sentiment scores sentences with an embedded service', { tags: 'tools' }, async context => {
  await needsRecognizer(context);
  const text = 'What a wonderful day. The food was terrible. It rained.';
  const { code, stdout, stderr } = await runCommand(['sentiment', '--text', text]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    'positive\t0.57\tWhat a wonderful day.\nnegative\t-0.48\tThe food was terrible.\nneutral\t0.00\tIt rained.\n',
  );
  const refused = await runCommand(['sentiment', '--language', 'de', '--text', 'Schön.']);
  expect(refused).toMatchObject({ code: 5, stdout: '' });
  expect(refused.stderr).toContain('language: must be en');
});
