import koffi from 'koffi';

/** ONNX Runtime optimises graphs recursively, on the stack that koffi gives. */
const STACK_BYTES = 8 * 1024 * 1024;

// Once for the process: koffi refuses it after the first call.
koffi.config({ sync_stack_size: STACK_BYTES });

export type { LibraryHandle } from 'koffi';
export { koffi };
