import { messageOf, RxscribeError } from '../../base/errors.ts';

export type Sherpa = typeof import('sherpa-onnx-node');

/**
 * Loads the native package, which may crash its process.
 *
 * @throws RxscribeError `engine-missing`
 */
export async function loadSherpaOnnx(): Promise<Sherpa> {
  try {
    // Node does not recognise all exports of this CommonJS package by name.
    const loaded: { default?: unknown } = await import('sherpa-onnx-node');
    return (loaded.default ?? loaded) as Sherpa;
  } catch (error) {
    const [reason] = messageOf(error).split('\n', 1);
    const message = `Cannot load sherpa-onnx: ${reason}. Run 'npm install sherpa-onnx-node', with optional packages.`;
    throw new RxscribeError('engine-missing', message, { cause: error });
  }
}
