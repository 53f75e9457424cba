/** A group of commands that was decided, and whose events are durable. */
export interface WrittenGroup {
  category: string;
  commands: number;
  /** 0: all of them were refused, or decided before. */
  events: number;
  /** From the decision to the commit. */
  seconds: number;
}

export interface WriterObserver {
  written(group: WrittenGroup): void;
  /** Another instance appended to the same stream first: the group is decided again. */
  conflict(category: string): void;
}

const observers = new Set<WriterObserver>();
const waiting = new Map<string, () => number>();

/** Tells what the writers of this process do. Gives what ends it. */
export function observeWriters(observer: WriterObserver): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

/** Commands of this process that have no answer yet, by category. */
export const waitingCommands = (): Array<{ category: string; commands: number }> =>
  [...waiting].map(([category, count]) => ({ category, commands: count() }));

export const showWaiting = (category: string, count: () => number): void => void waiting.set(category, count);
export const noteGroup = (group: WrittenGroup): void => observers.forEach((one) => one.written(group));
export const noteConflict = (category: string): void => observers.forEach((one) => one.conflict(category));
