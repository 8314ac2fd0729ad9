import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** One line of a Dockerfile, with the lines that continue it. */
export interface Instruction {
  readonly name: string;
  readonly args: string;
}

/** Reads the instructions of a Dockerfile. */
export function readDockerfile(path: string): readonly Instruction[] {
  const text = readFileSync(path, 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ');
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, name, args] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      if (!name) throw new Error(`This line of ${path} is no instruction: ${line}`);
      return { name, args: args! };
    });
}

/** An image as a directory: what its Dockerfile leaves in the last stage, but for packages of the system. */
export interface FollowedImage {
  /** Directory of the image's `/`. */
  readonly root: string;
  /** Variables of the image, whose paths are below the root. */
  readonly env: Readonly<Record<string, string>>;
  /** Commands that were left out, because they change the system. */
  readonly skipped: readonly string[];
}

interface Stage {
  readonly root: string;
  cwd: string;
  readonly env: Record<string, string>;
}

/**
 * Follows a Dockerfile without docker: copies and runs what it says, in a directory for each stage. Commands with apt-get
 * are left out.
 *
 * @param context directory of the build; only what the `.dockerignore` beside the Dockerfile lets through is copied
 */
export function followDockerfile(path: string, context: string, directory: string): FollowedImage {
  const stages = new Map<string, Stage>();
  const skipped: string[] = [];
  const allowed = allowedBy(`${path}.dockerignore`);
  let stage!: Stage;
  for (const { name, args } of readDockerfile(path)) {
    if (name === 'FROM') {
      const [, as = 'last'] = / AS (\w+)$/.exec(args) ?? [];
      stage = { root: join(directory, as), cwd: '/', env: {} };
      stages.set(as, stage);
    } else if (name === 'WORKDIR') {
      stage.cwd = args;
      mkdirSync(join(stage.root, args), { recursive: true });
    } else if (name === 'ENV' || name === 'ARG') {
      for (const [, key, value] of args.matchAll(/(\w+)=(\S*)/g))
        stage.env[key!] = placed(value!, stage.root);
    } else if (name === 'COPY') {
      copy(args, stage, from => (from ? stages.get(from)!.root : context), allowed);
    } else if (name === 'RUN') {
      if (args.includes('apt-get')) skipped.push(args);
      else run(placed(args, stage.root), stage);
    }
  }
  return { root: stage.root, env: stage.env, skipped };
}

/** Puts absolute paths below the root of a stage. */
function placed(text: string, root: string): string {
  return text.replace(/(^|[\s=])(\/(?:app|data)\b)/g, `$1${root}$2`);
}

function run(command: string, { root, cwd, env }: Stage): void {
  execFileSync('bash', ['-ec', command], {
    cwd: join(root, cwd),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Returns the names at the top of a context that an ignore file of the form `*`, `!NAME`, … lets through. */
function allowedBy(path: string): ReadonlySet<string> {
  const lines = readFileSync(path, 'utf8').split('\n');
  const [first, ...rest] = lines.filter(line => line !== '' && !line.startsWith('#'));
  if (first !== '*' || rest.some(line => !/^![\w.-]+$/.test(line))) {
    throw new Error(`${path} must have '*', then lines like '!NAME'.`);
  }
  return new Set(rest.map(line => line.slice(1)));
}

function copy(
  args: string,
  stage: Stage,
  rootOf: (from: string | undefined) => string,
  allowed: ReadonlySet<string>,
): void {
  const [, from, paths] = /^(?:--from=(\w+) )?(.*)$/.exec(args)!;
  const words = paths!.split(/ +/);
  const target = words.pop()!;
  for (const source of words) {
    const path = join(rootOf(from), source);
    if (!from && !allowed.has(source.split('/')[0]!)) throw new Error(`COPY ${source}: ignored.`);
    if (!existsSync(path)) throw new Error(`COPY ${source}: there is no ${relative(rootOf(from), path)}.`);
    const isFile = statSync(path).isFile();
    const inside = target.endsWith('/') && isFile ? join(target, source.split('/').at(-1)!) : target;
    const destination = join(stage.root, target.startsWith('/') ? '' : stage.cwd, inside);
    mkdirSync(dirname(destination), { recursive: true });
    // Nothing else is taken from the stages before, and to move thousands of files takes no time.
    if (from) renameSync(path, destination);
    else cpSync(path, destination, { recursive: true, verbatimSymlinks: true });
  }
}
