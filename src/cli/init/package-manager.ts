import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BusbarError, quoted } from '../../base/errors.js';

/** The package managers that can install a service. */
export const managers = ['npm', 'pnpm', 'yarn', 'bun'];

/** Packages with an install script, by whether it may run. */
export type AllowedScripts = Readonly<Record<string, boolean>>;

/** Files of a service that only one package manager reads. */
const ownFiles: Readonly<Record<string, (scripts: AllowedScripts) => Readonly<Record<string, string>>>> = {
  // pnpm fails if a package has an install script that the service neither allows nor denies. It does not read
  // "allowScripts" of npm. pnpm 9 also fails if the file has no `packages`.
  pnpm: (scripts) => {
    const builds = Object.entries(scripts).map(([name, isAllowed]) => `  "${name}": ${isAllowed}\n`);
    return { 'pnpm-workspace.yaml': `packages:\n  - .\nallowBuilds:\n${builds.join('')}` };
  },
  // Without a lock file, Yarn takes the service for a part of the project around it.
  yarn: () => ({ 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: node-modules\n' }),
};

/** Returns the package manager to use. Default: the one that runs this command, else npm. */
export function managerOf(chosen?: string) {
  // `pnpm/10.2.0 npm/? node/v22.1.0 linux x64`
  const agent = process.env['npm_config_user_agent'] ?? '';
  const name = chosen ?? managers.find((each) => agent.startsWith(`${each}/`)) ?? 'npm';
  return { name, filesFor: ownFiles[name] ?? (() => ({})), install };

  /** Installs the dependencies of a service. @throws BusbarError `file-failed`, with the command to repeat */
  async function install(folder: string): Promise<void> {
    const child = spawn(name, ['install'], {
      cwd: folder,
      // The output of the command may be a pipe that only the next steps should reach.
      stdio: ['ignore', 'inherit', 'inherit'],
      // npm is a batch file on Windows.
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        // Without a network, npm and pnpm otherwise wait a minute for each package.
        npm_config_fetch_retry_mintimeout: '500',
        YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      },
    });
    // The process cannot be started if the machine lacks the package manager.
    const [code] = (await once(child, 'close').catch(() => [undefined])) as [number | null | undefined];
    if (code === 0) return;
    const problem = code === undefined ? 'is not installed' : 'could not install the dependencies';
    const message = `The files are written, but ${name} ${problem}. Run "${name} install" in ${quoted(folder)} later.`;
    throw new BusbarError('file-failed', message);
  }
}
