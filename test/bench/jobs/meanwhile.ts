import { setTimeout } from 'node:timers/promises';
import { VOCABULARY_LIMITS } from '../../../src/protocol/limits.ts';
import { overSocket, settled } from '../../helpers/adminClient.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { launchService } from '../../helpers/launchService.ts';
import { quantile } from '../../helpers/quantile.ts';
import { fillStore } from './startUp.ts';

const TOKEN = 'token-of-the-bench';
const IDLE_MS = 5000;
const EVERY_MS = 10;

/** Measures how long others wait for a small answer while the largest vocabulary is submitted, and an account deleted. */
export async function answersMeanwhile(dataDirectory: string, jobs: number) {
  const account = await accountWithJobs(dataDirectory, jobs);
  const { listening, kill } = launchService({ dataDirectory, token: TOKEN, port: 0, logLevel: 'error' });
  try {
    const { url } = await listening;
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const base = `${url}/speechtotext/v1`;
    const ask = async () => (await fetch(`${base}/account`, { headers })).arrayBuffer();
    const body = JSON.stringify(largestVocabularies());
    const submit = () => fetch(`${base}/vocabularies`, { method: 'POST', headers, body });
    const remove = () => settled(() => overSocket(dataDirectory, 'DELETE', `/admin/v1/accounts/${account}`));
    return {
      'nothing else': await waitsDuring(() => setTimeout(IDLE_MS, { status: 200 }), ask),
      [`${VOCABULARY_LIMITS.phrases * VOCABULARY_LIMITS.vocabularies} phrases`]: await waitsDuring(
        submit,
        ask,
      ),
      [`an account with ${jobs} jobs is deleted`]: await waitsDuring(remove, ask),
    };
  } finally {
    await kill();
  }
}

async function accountWithJobs(dataDirectory: string, count: number): Promise<string> {
  await using service = openJobStore({ dataDirectory }, { worksOnQueue: false, token: TOKEN });
  const { id: accountId } = (await service.accounts.administration.create('ada@example.org', 100))!;
  await fillStore(service, dataDirectory, { count, accountId });
  return accountId;
}

function largestVocabularies() {
  const phrases = Array.from({ length: VOCABULARY_LIMITS.phrases }, (_, index) => `phrase ${index}`);
  return { custom_vocabularies: Array(VOCABULARY_LIMITS.vocabularies).fill({ phrases }) };
}

async function waitsDuring(work: () => Promise<{ readonly status: number }>, ask: () => Promise<unknown>) {
  const start = performance.now();
  let status: number | undefined;
  const done = work().then(answer => {
    status = answer.status;
  });
  const waits: number[] = [];
  while (status === undefined) {
    const asked = performance.now();
    await ask();
    waits.push(performance.now() - asked);
    await setTimeout(EVERY_MS);
  }
  await done;
  return {
    status,
    seconds: Math.round((performance.now() - start) / 100) / 10,
    'p50 (ms)': Math.round(quantile(waits, 0.5)),
    'p99 (ms)': Math.round(quantile(waits, 0.99)),
    'longest (ms)': Math.round(Math.max(...waits)),
  };
}
