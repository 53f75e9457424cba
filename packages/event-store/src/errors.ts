/**
 * An error that is an ordinary response. It has no stack, because the place of its creation is irrelevant and capturing
 * the stack costs more than the response.
 */
export class Answer extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A command that the rules reject. `code` is kebab-case and gives the client the reason. */
export class Rejected extends Answer {
  override name = 'Rejected';
  readonly code: string;
  constructor(code: string, message = code) {
    super(message);
    this.code = code;
  }
}

/** The same command id was already used with another body. */
export class CommandReused extends Error {
  override name = 'CommandReused';
  constructor() {
    super('this command id was used for another command');
  }
}

/** The queue is full. The command had no effect; retry soon. */
export class Overloaded extends Error {
  override name = 'Overloaded';
  readonly transient = true;
  constructor() {
    super('too many commands are waiting');
  }
}

/**
 * The message for a decided event does not fit the message's schema, which is a bug of this service. No event was
 * appended.
 */
export class Unpublishable extends Error {
  override name = 'Unpublishable';
  constructor({ stream, version, type }: { stream: string; version: number; type: string }, cause: unknown) {
    super(`${type}, ${version} of ${stream}, does not fit its message: ${String(cause)}`, { cause });
  }
}
