// @module-tag tools
import { expect, it } from 'vitest';
import { runHook } from '../../helpers/hookedRun.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { final } from '../../helpers/transcriptEvents.ts';

it('the sample of a hook applies its house rules', async context => {
  needsProgram(context, 'python3');
  const target = `python3 ${new URL('../../../samples/caption-hook.py', import.meta.url).pathname}`;
  const { seen } = await runHook([final('Mister Dashwood had five. He had all.', 0, 4)], { target });
  expect(seen).toEqual(['Mr. Dashwood had five.', 'He had all.']);
});
