import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** A Chromium that can be started: where it is, and what it needs in its environment. */
export interface Chromium {
  readonly executable: string;
  readonly environment: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');

/**
 * The one that npm brought, unpacked into `.cache` once; the system's where that does not run. The system's has windows
 * even without a screen, which take four times the processor time of the pages.
 */
export function findChromium(): Chromium {
  if (process.platform === 'linux' && process.arch === 'x64') return unpack();
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
    if (status === 0) return { executable: stdout.trim(), environment: {} };
  }
  throw new Error('No "chromium" was found. Install it, or run the tests of the dashboard on Linux.');
}

/** `@sparticuz/chromium`: the browser, the libraries that it needs beyond libc, and a font, each compressed. */
function unpack(): Chromium {
  const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
  const folder = join(root, '.cache', 'chromium-137');
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    const scratch = mkdtempSync(`${folder}-`);
    writeFileSync(join(scratch, 'chromium'), decompressed(join(bin, 'chromium.br')), { mode: 0o755 });
    for (const archive of ['al2023.tar.br', 'fonts.tar.br']) {
      execFileSync('tar', ['-x', '-C', scratch], { input: decompressed(join(bin, archive)) });
    }
    writeFileSync(join(scratch, 'fonts.conf'), fontConfiguration(folder));
    try {
      renameSync(scratch, folder);
    } catch (error) {
      // Another process was faster, and its copy is as good.
      rmSync(scratch, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return {
    executable: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: join(folder, 'lib'), ...fontsIn(folder) },
  };
}

/** A machine without fonts shows no text: then the one that came along is used. */
function fontsIn(folder: string): Record<string, string> {
  return existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: folder };
}

/** That of the package names folders of its own. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>
`;
}

function decompressed(path: string): Buffer {
  return brotliDecompressSync(readFileSync(path));
}
