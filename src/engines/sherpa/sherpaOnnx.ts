import { messageOf, RxscribeError } from '../../base/errors.ts';

/**
 * The native package; only for processes that may die of it.
 *
 * @throws RxscribeError `engine-missing`
 */
export async function loadSherpaOnnx(): Promise<typeof import('sherpa-onnx-node')> {
  try {
    // What CommonJS exports is not all seen as names.
    const loaded: { default?: unknown } = await import('sherpa-onnx-node');
    return (loaded.default ?? loaded) as typeof import('sherpa-onnx-node');
  } catch (error) {
    throw new RxscribeError(
      'engine-missing',
      `load sherpa-onnx: npm install sherpa-onnx-node (with optional packages): ${firstLine(error)}`,
      { cause: error },
    );
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0]!;
}
