import { expect, test } from 'vitest';
import { createGate, type Gate } from '../../src/flow/gate.ts';

function watch(gate: Gate): { readonly passed: boolean } {
  const state = { passed: false };
  void gate.whenOpen().then(() => {
    state.passed = true;
  });
  return state;
}

const settle = () => new Promise(resolve => setImmediate(resolve));

test('a gate that is held lets nobody through until it is released', async () => {
  const gate = createGate();
  const release = gate.hold();
  const source = watch(gate);
  await settle();
  expect([gate.isOpen, source.passed]).toEqual([false, false]);
  release();
  await settle();
  expect([gate.isOpen, source.passed]).toEqual([true, true]);
});

test('waiting ends with the reason of the signal, before and during the wait', async () => {
  const gate = createGate();
  gate.hold();
  const reason = new Error('enough');
  await expect(gate.whenOpen(AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = gate.whenOpen(controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('of several who hold the gate, the last to release it opens it', async () => {
  const gate = createGate();
  const [first, second] = [gate.hold(), gate.hold()];
  const source = watch(gate);
  first();
  first();
  await settle();
  expect([gate.isOpen, source.passed]).toEqual([false, false]);
  second();
  await settle();
  expect([gate.isOpen, source.passed]).toEqual([true, true]);
});
