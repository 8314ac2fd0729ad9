import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Matches `libonnxruntime.so`, `libonnxruntime.1.28.2.dylib`, `onnxruntime.dll`. */
const LIBRARY = /^(?:lib)?onnxruntime(?:\.[\d.]+)?\.(?:so|dylib|dll)(?:\.[\d.]+)?$/;

/**
 * Returns the path of the ONNX Runtime library of sherpa-onnx-node for this platform; undefined where it has
 * none, such as on musl.
 */
export function findNativeLibrary(): string | undefined {
  // musl, as on Alpine, cannot load a library linked against glibc.
  if (process.platform === 'linux' && !isGnu()) return undefined;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const resolve = createRequire(import.meta.url).resolve;
  try {
    // npm installs the platform's package beside the wrapper, pnpm only where the wrapper resolves it.
    const wrapper = createRequire(resolve('sherpa-onnx-node'));
    const directory = dirname(wrapper.resolve(`sherpa-onnx-${platform}-${process.arch}/package.json`));
    const name = readdirSync(directory).find(file => LIBRARY.test(file));
    return name && join(directory, name);
  } catch {
    return undefined;
  }
}

function isGnu(): boolean {
  // Without this switch, which the types lack, the report looks up host names.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork;
  return header?.glibcVersionRuntime !== undefined;
}
