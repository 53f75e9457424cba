interface Tries {
  /** Milliseconds before each further try. */
  pauses?: number[];
  /** True for an error after which another try is not worth it. */
  isFinal?: (error: unknown) => boolean;
}

/** What `ask` gives, at the latest when no pause is left; else what the last try threw, or the first one that is final. */
export async function again<T>(
  ask: () => Promise<T>,
  { pauses = [300, 1_000, 3_000], isFinal = () => false }: Tries = {},
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await ask();
    } catch (error) {
      if (isFinal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return ask();
}
