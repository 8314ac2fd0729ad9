import koffi from 'koffi';

/** Stack of native calls: ONNX Runtime optimises graphs recursively on it. */
const STACK_BYTES = 8 * 1024 * 1024;

// Once for the process: koffi rejects it after the first call.
koffi.config({ sync_stack_size: STACK_BYTES });

export type { LibraryHandle } from 'koffi';
export { koffi };
