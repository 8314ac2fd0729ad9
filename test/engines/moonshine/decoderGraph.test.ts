import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import {
  attentionOutput,
  exposeAttention,
  readDecoderShape,
} from '../../../src/engines/moonshine/decoderGraph.ts';
import { embeddedFiles } from '../../../src/engines/moonshine/recognizer.ts';
import type { Runtime, RuntimeModel, Tensor } from '../../../src/engines/moonshine/runtime.ts';
import { START_TOKEN, VOCABULARY_SIZE } from '../../../src/engines/moonshine/tokens.ts';
import { createWasmRuntime } from '../../../src/engines/moonshine/wasmRuntime.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { field, onnxFile, varint } from '../models/onnxFile.ts';

const bytesOf = (value: number) => Uint8Array.from(varint(value));
const sizeField = (value: number) => Buffer.concat([Uint8Array.of(1 * 8), bytesOf(value)]);

/** An input of a graph, with its sizes; 0 stands for one that is not fixed. */
function input(name: string, sizes: readonly number[]): Uint8Array {
  const dimensions = sizes.map(size => field(1, size > 0 ? sizeField(size) : field(2, 'free')));
  return Buffer.concat([field(1, name), field(2, field(1, field(2, Buffer.concat(dimensions))))]);
}

/** The frame of a merged decoder: inputs, and one `If` with two branches. */
function smallDecoder(layers: number, heads = 8, headSize = 36): Uint8Array {
  const branch = Buffer.concat([field(2, 'branch'), field(12, field(1, 'logits'))]);
  const attribute = (name: string) => field(5, Buffer.concat([field(1, name), field(6, branch)]));
  const choice = [field(1, 'flag'), field(2, 'logits'), field(4, 'If'), attribute('then'), attribute('else')];
  const memories = Array.from({ length: layers }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key'].map(part =>
      field(11, input(`past_key_values.${layer}.${part}`, [0, heads, 0, headSize])),
    ),
  );
  const graph = [
    field(1, field(4, 'Constant')),
    field(1, Buffer.concat(choice)),
    field(11, input('input_ids', [0, 0])),
    ...memories.flat(),
    field(12, field(1, 'logits')),
  ];
  return Buffer.concat([Uint8Array.of(8, 8), field(7, Buffer.concat(graph)), field(2, 'test')]);
}

const countOf = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes).toString('latin1').split(text).length - 1;

/** The model with attention, in one piece. */
const exposed = (model: Uint8Array, layers: readonly number[]) =>
  Buffer.concat(exposeAttention(model, layers));

/** Reads and rewrites; fails with nothing but a clear error. */
function readsOrSays(bytes: Uint8Array): void {
  for (const act of [() => readDecoderShape(bytes), () => exposeAttention(bytes, [0, 1])]) {
    try {
      act();
    } catch (error) {
      expect(error).toBeInstanceOf(RxscribeError);
      expect(error).toMatchObject(errorLike('engine-failed', /^Cannot load Moonshine: .*\.$/));
    }
  }
}

describe('the graph of a decoder', () => {
  it('reveals its dimensions', () => {
    const size = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), size, size, (layers, heads, headSize) => {
        const model = smallDecoder(layers, heads, headSize);
        expect(readDecoderShape(model)).toEqual({ layers, heads, headSize });
      }),
    );
  });

  it('gets outputs in both branches, in the choice between them, and at its end; the rest stays', () => {
    fc.assert(
      fc.property(fc.subarray([0, 1, 2, 3, 4, 5]), layers => {
        const model = smallDecoder(6);
        const changed = exposed(model, layers);
        expect(readDecoderShape(changed)).toEqual(readDecoderShape(model));
        for (const layer of [0, 1, 2, 3, 4, 5]) {
          const times = layers.includes(layer) ? 2 : 0;
          expect(countOf(changed, attentionOutput(layer))).toBe(times);
          expect(countOf(changed, `layers.${layer}/encoder_attn/Softmax_output_0`)).toBe(times);
        }
        expect(countOf(changed, 'past_key_values')).toBe(countOf(model, 'past_key_values'));
        expect(countOf(changed, 'branch')).toBe(2);
        if (layers.length === 0) expect(Buffer.compare(changed, model)).toBe(0);
      }),
    );
  });

  it('of another model is rejected with a clear message', () => {
    const message = 'Cannot load Moonshine: the decoder is not a merged one.';
    expect(() => readDecoderShape(onnxFile())).toThrow('the decoder is not an ONNX model');
    expect(() => readDecoderShape(new Uint8Array(0))).toThrow(message);
    expect(() => readDecoderShape(smallDecoder(0))).toThrow(message);
    expect(() => readDecoderShape(Buffer.from('<html>moved</html>'))).toThrow(/^Cannot load Moonshine/);
  });

  it('is read or rejected with a clear message when bytes are lost or changed', () => {
    const model = smallDecoder(3);
    const change = fc.tuple(fc.nat(model.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.nat(model.length), fc.array(change, { maxLength: 5 }), (length, changes) => {
        const damaged = Uint8Array.from(model);
        for (const [at, byte] of changes) damaged[at] = byte;
        readsOrSays(damaged);
        readsOrSays(damaged.subarray(0, length));
        readsOrSays(damaged.subarray(length));
      }),
      { numRuns: 1000 },
    );
  });
});

/** The hidden states of an utterance of no meaning. */
function hiddenStates(runtime: Runtime, positions: number, size: number): Tensor {
  const values = Float32Array.from(
    { length: positions * size },
    (_, at) => Math.sin(at * 0.7) + Math.cos(at / 9),
  );
  return runtime.floats(values, [1, positions, size]);
}

/** The logits of two steps: without a memory, and with one. */
async function logitsOf(
  runtime: Runtime,
  model: RuntimeModel,
  decoder: Uint8Array,
  layers: readonly number[],
) {
  const { heads, headSize, layers: count } = readDecoderShape(decoder);
  const positions = 30;
  const hidden = hiddenStates(runtime, positions, heads * headSize);
  const names = Array.from({ length: count }, (_, layer) => layer).flatMap(layer =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map(part => `${layer}.${part}`),
  );
  const empty = runtime.floats(new Float32Array(0), [0, heads, 1, headSize]);
  const step = async (tokens: readonly number[], memory: readonly Tensor[]) => {
    const past = Object.fromEntries(names.map((name, index) => [`past_key_values.${name}`, memory[index]!]));
    const attention = layers.map(layer => [attentionOutput(layer), [1, heads, tokens.length, positions]]);
    const inputs = {
      input_ids: runtime.integers(tokens, [1, tokens.length]),
      encoder_hidden_states: hidden,
      use_cache_branch: runtime.flag(memory[0] !== empty),
      ...past,
    };
    const { kept, read } = await model.run(inputs, {
      keep: names.map(name => `present.${name}`),
      read: { logits: [1, tokens.length, VOCABULARY_SIZE], ...Object.fromEntries(attention) },
    });
    const attended = layers.map(layer => read[attentionOutput(layer)]!.slice());
    return { kept, logits: read.logits!.slice(), attended };
  };
  const first = await step(
    [START_TOKEN, 940, 471],
    names.map(() => empty),
  );
  // What is remembered of the audio is made by the first step only.
  const memory = first.kept;
  const next = await step([451], memory);
  return { first, next, positions };
}

describe('the installed decoder', { timeout: 120_000 }, () => {
  async function decoderBytes(): Promise<Uint8Array> {
    return readFile((await embeddedFiles()).decoder);
  }

  it('is byte-identical when no attention is exposed', { tags: 'tools' }, async context => {
    await needsRecognizer(context);
    const model = await decoderBytes();
    expect(readDecoderShape(model)).toEqual({ layers: 6, heads: 8, headSize: 36 });
    expect(Buffer.compare(exposed(model, []), model)).toBe(0);
  });

  it('gives the same results with its attention exposed, which sums to 1 for each token and head', {
    tags: 'tools',
  }, async context => {
    await needsRecognizer(context);
    const model = await decoderBytes();
    const layers = [0, 3, 5];
    const changed = exposed(model, layers);
    expect(readDecoderShape(changed)).toEqual(readDecoderShape(model));
    const runtime = await createWasmRuntime();
    const [plain, attending] = [
      await runtime.load([model]),
      await runtime.load(exposeAttention(model, layers)),
    ];
    const before = await logitsOf(runtime, plain, model, []);
    const after = await logitsOf(runtime, attending, model, layers);
    expect(after.first.logits).toEqual(before.first.logits);
    expect(after.next.logits).toEqual(before.next.logits);
    for (const { attended } of [after.first, after.next]) {
      expect(attended).toHaveLength(layers.length);
      for (const values of attended) {
        for (let row = 0; row < values.length; row += after.positions) {
          const sum = values.slice(row, row + after.positions).reduce((total, value) => total + value, 0);
          expect(sum).toBeCloseTo(1, 3);
        }
      }
    }
  });

  it('is rejected with a clear message when it is truncated anywhere', { tags: 'tools' }, async context => {
    await needsRecognizer(context);
    const model = await decoderBytes();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: model.length - 1 }), length => {
        readsOrSays(model.subarray(length));
        // Nearly all of it is the graph, which is as long as it says.
        if (length < 1000 || length > model.length - 1000) return;
        expect(() => readDecoderShape(model.subarray(0, length))).toThrow('the decoder is not an ONNX model');
        expect(() => exposeAttention(model.subarray(0, length), [0])).toThrow(
          'the decoder is not an ONNX model',
        );
      }),
      { numRuns: 100 },
    );
  });
});
