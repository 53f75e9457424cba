interface RetryOptions {
  /** Milliseconds before each retry. */
  pauses?: number[];
  /** True for an error that must not be retried. */
  isFinal?: (error: unknown) => boolean;
}

/** Calls `attempt` until it succeeds. Rejects with the last error if that error is final or no pause is left. */
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
