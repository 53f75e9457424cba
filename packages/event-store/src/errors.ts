/** An answer in the shape of an error, without a stack: where it was made tells nothing, and a stack costs more than the answer. */
export class Answer extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A command that the rules refuse. `code` is kebab-case: what the user needs to know. */
export class Rejected extends Answer {
  override name = 'Rejected';
  readonly code: string;
  constructor(code: string, message = code) {
    super(message);
    this.code = code;
  }
}

/** The same command id came with another body. */
export class CommandReused extends Error {
  override name = 'CommandReused';
  constructor() {
    super('this command id was used for another command');
  }
}

/** More work is waiting than may wait. Nothing was done; try again soon. */
export class Overloaded extends Error {
  override name = 'Overloaded';
  readonly transient = true;
  constructor() {
    super('too many commands are waiting');
  }
}

/** An event was decided whose message does not fit its schema: a fault of this code. Nothing was appended. */
export class Unpublishable extends Error {
  override name = 'Unpublishable';
  constructor({ stream, version, type }: { stream: string; version: number; type: string }, cause: unknown) {
    super(`${type}, ${version} of ${stream}, does not fit its message: ${String(cause)}`, { cause });
  }
}
