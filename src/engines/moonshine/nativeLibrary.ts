import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** `libonnxruntime.so`, `libonnxruntime.1.28.2.dylib`, `onnxruntime.dll`. */
const LIBRARY = /^(?:lib)?onnxruntime(?:\.[\d.]+)?\.(?:so|dylib|dll)(?:\.[\d.]+)?$/;

/**
 * Returns the path of the ONNX Runtime library that comes with sherpa-onnx-node for this platform; undefined where there
 * is none, such as on musl or on processors that it is not built for.
 */
export function findNativeLibrary(): string | undefined {
  // The C library of Alpine cannot load what was linked against the GNU one.
  if (process.platform === 'linux' && !isGnu()) return undefined;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const resolve = createRequire(import.meta.url).resolve;
  try {
    // npm installs the package of the platform beside the wrapper, pnpm only where the wrapper sees it.
    const wrapper = createRequire(resolve('sherpa-onnx-node'));
    const directory = dirname(wrapper.resolve(`sherpa-onnx-${platform}-${process.arch}/package.json`));
    const name = readdirSync(directory).find(file => LIBRARY.test(file));
    return name && join(directory, name);
  } catch {
    return undefined;
  }
}

function isGnu(): boolean {
  // Otherwise it looks up the names of hosts; the types do not know the switch.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork;
  return header?.glibcVersionRuntime !== undefined;
}
