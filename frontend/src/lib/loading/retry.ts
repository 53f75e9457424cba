interface RetryOptions {
  /** Milliseconds before each further try. */
  pauses?: number[];
  /** True for an error that is not worth another try. */
  isFinal?: (error: unknown) => boolean;
}

/** Tries until it succeeds, the error is final or no pause is left; then rejects with the last error. */
export async function retry<T>(
  attempt: () => Promise<T>,
  { pauses = [300, 1_000, 3_000], isFinal = () => false }: RetryOptions = {},
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return attempt();
}
