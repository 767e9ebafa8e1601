import { BusbarError } from '../base/errors.js';

/** Loads a peer dependency that not everybody has. @throws BusbarError `missing-package` */
export async function optionalPackage<T>(name: string, wantedBy: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new BusbarError(
      'missing-package',
      `${wantedBy} needs the package "${name}", which is not installed. Run: npm install ${name}`,
      { cause },
    );
  }
}
