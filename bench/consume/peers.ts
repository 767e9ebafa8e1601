import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Packages that the benchmark installs outside the repository. */
const dependencies = {
  '@nestjs/common': '11.1.6',
  '@nestjs/core': '11.1.6',
  '@nestjs/microservices': '11.1.6',
  kafkajs: '2.2.4',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
};

/** Returns the folder with NestJS; undefined if it cannot be installed. */
export function installedPeers(): string | undefined {
  const cache =
    process.env['BUSBAR_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'busbar');
  const folder = join(cache, 'bench-consume');
  const manifest = join(folder, 'package.json');
  const wanted = JSON.stringify({ private: true, dependencies });
  const isInstalled = existsSync(join(folder, 'node_modules/@nestjs/microservices/package.json'));
  // The folder may have former versions.
  if (isInstalled && readFileSync(manifest, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, wanted);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 180_000,
  });
  return status === 0 ? folder : undefined;
}
