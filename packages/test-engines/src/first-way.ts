/**
 * What the first of these ways gives that works. Rejects with all that was tried: a test that cannot have its engine fails, and says why.
 * `help` says what to do then.
 */
export async function firstWay<T extends { what: string }>(
  engine: string,
  ways: Array<() => Promise<T>>,
  help: string,
): Promise<T> {
  const reasons: string[] = [];
  for (const start of ways) {
    try {
      const started = await start();
      console.info(`${engine}: ${started.what}`);
      return started;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no ${engine} to test with (${reasons.join('; ')}). ${help}`);
}
