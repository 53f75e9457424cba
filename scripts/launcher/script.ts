import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** This repository, or the copy of it in an image. */
export const root = join(import.meta.dirname, '..', '..');

/** Runs a script's body. Prints a mistake of the caller (`StartError`) in one line, without a stack. */
export async function script(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}

/** The service whose image this process runs in, if any. */
export const serviceOfImage = (): string | undefined => process.env['BELTWAY_SERVICE'] || undefined;

/**
 * Runs work on the databases of `DATA_DIR`, for a caller that has no URLs in the environment variables `variables`.
 * Imports the launcher's modules only now, because images do not have them; in an image the variables must be set.
 */
export async function onDataFolder(
  variables: string,
  work: (url: (database: string) => string) => Promise<void>,
): Promise<void> {
  const image = serviceOfImage();
  if (image) throw new StartError(`${variables}: not set in this container of ${image}`);
  const [{ withEmbedded }, { dataDirOf }, { databases }] = await Promise.all([
    import('./embedded.ts'),
    import('./settings.ts'),
    import('./system.ts'),
  ]);
  await withEmbedded(dataDirOf(), databases, work);
}
