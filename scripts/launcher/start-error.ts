/** A mistake in how Beltway was started. It is printed in one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
