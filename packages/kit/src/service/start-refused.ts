/**
 * Thrown if the service must not start in the current state. The message contains the reason and the remedy, and is
 * printed without a stack.
 */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
