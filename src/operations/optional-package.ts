import { BusbarError } from '../base/errors.js';

/** Loads an optional peer dependency. @throws BusbarError `missing-package` */
export async function optionalPackage<T>(name: string, owner: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new BusbarError(
      'missing-package',
      `${owner} needs the package "${name}", which is not installed. Run: npm install ${name}`,
      { cause },
    );
  }
}
