/** A service must not start as things are. Its message says why, and what to do: it is shown as it is, without a stack. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
