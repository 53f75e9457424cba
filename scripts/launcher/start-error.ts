/** A mistake of the person who starts: said in one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
