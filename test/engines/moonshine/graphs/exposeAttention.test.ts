import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RxscribeError } from '../../../../src/base/errors.ts';
import {
  attentionOutput,
  exposeAttention,
  LOG_PROBABILITIES,
  readDecoderShape,
} from '../../../../src/engines/moonshine/graphs/exposeAttention.ts';
import { readModel, writeModel } from '../../../../src/engines/moonshine/graphs/onnxModel.ts';
import { errorLike } from '../../../helpers/errorLike.ts';
import { needsRecognizer } from '../../../helpers/needs.ts';
import { field, onnxFile, varint } from '../../models/onnxFile.ts';
import { embeddedFiles } from '../embeddedFiles.ts';

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

const shapeOf = (model: Uint8Array) => readDecoderShape(readModel(model));
const exposed = (model: Uint8Array, layers: readonly number[]) =>
  writeModel(exposeAttention(readModel(model), layers));

/** Reads and rewrites; fails with nothing but a clear error. */
function readsOrSays(bytes: Uint8Array): void {
  for (const act of [() => shapeOf(bytes), () => exposed(bytes, [0, 1])]) {
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
        expect(shapeOf(model)).toEqual({ layers, heads, headSize });
      }),
    );
  });

  it('gets outputs in both branches, in the choice between them, and at its end; the rest stays', () => {
    fc.assert(
      fc.property(fc.subarray([0, 1, 2, 3, 4, 5]), layers => {
        const model = smallDecoder(6);
        const changed = exposed(model, layers);
        expect(shapeOf(changed)).toEqual(shapeOf(model));
        for (const layer of [0, 1, 2, 3, 4, 5]) {
          const times = layers.includes(layer) ? 2 : 0;
          expect(countOf(changed, attentionOutput(layer))).toBe(times);
          expect(countOf(changed, `layers.${layer}/encoder_attn/Softmax_output_0`)).toBe(times);
        }
        expect(countOf(changed, 'past_key_values')).toBe(countOf(model, 'past_key_values'));
        expect(countOf(changed, 'branch')).toBe(2);
        expect(countOf(changed, LOG_PROBABILITIES)).toBe(2);
      }),
    );
  });

  it('of another model is rejected with a clear message', () => {
    const message = 'Cannot load Moonshine: the decoder is not a merged one.';
    expect(() => shapeOf(onnxFile())).toThrow(/^Cannot load Moonshine/);
    expect(() => shapeOf(new Uint8Array(0))).toThrow('a file is not an ONNX model');
    expect(() => shapeOf(smallDecoder(0))).toThrow(message);
    expect(() => shapeOf(Buffer.from('<html>moved</html>'))).toThrow(/^Cannot load Moonshine/);
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

describe('the installed decoder', { timeout: 120_000 }, () => {
  it('is rejected with a clear message when it is truncated anywhere', { tags: 'tools' }, async context => {
    await needsRecognizer(context);
    const model = await readFile((await embeddedFiles('tiny')).decoder);
    expect(shapeOf(model)).toEqual({ layers: 6, heads: 8, headSize: 36 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: model.length - 1 }), length => {
        readsOrSays(model.subarray(0, length));
        // Nearly all of it is the graph, which is as long as it says.
        if (length < 1000 || length > model.length - 1000) return;
        expect(() => readModel(model.subarray(0, length))).toThrow('a file is not an ONNX model');
      }),
      { numRuns: 100 },
    );
  });
});
