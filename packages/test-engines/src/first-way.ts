/**
 * Tries these ways to start an engine, in order, and returns the first engine that starts. Rejects with the reasons of
 * all failed ways, so that a test without its engine fails and reports why. `help` is advice for the developer.
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
