import { expect, test } from 'vitest';
import { createGate, type Gate } from '../../src/flow/gate.ts';

function watch(gate: Gate): { readonly passed: boolean } {
  const state = { passed: false };
  gate.whenOpen().then(() => {
    state.passed = true;
  });
  return state;
}

const settle = () => new Promise(resolve => setImmediate(resolve));

test('a closed gate lets nobody through until it is opened', async () => {
  const gate = createGate();
  gate.close();
  const source = watch(gate);
  await settle();
  expect([gate.isOpen, source.passed]).toEqual([false, false]);
  gate.open();
  await settle();
  expect([gate.isOpen, source.passed]).toEqual([true, true]);
});

test('waiting ends with the reason of the signal, before and during the wait', async () => {
  const gate = createGate();
  gate.close();
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

test('to open the gate does not undo the hold of another, nor the other way round', () => {
  const gate = createGate();
  const release = gate.hold();
  gate.close();
  gate.open();
  expect(gate.isOpen).toBe(false);
  gate.close();
  release();
  expect(gate.isOpen).toBe(false);
  gate.open();
  expect(gate.isOpen).toBe(true);
});
