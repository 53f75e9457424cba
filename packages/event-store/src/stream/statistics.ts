/** A group of commands whose events are durable. */
export interface WrittenGroup {
  category: string;
  commands: number;
  /** 0 if all commands were rejected or repeats. */
  events: number;
  /** Time from the decision to the commit. */
  seconds: number;
}

export interface WriterObserver {
  written(group: WrittenGroup): void;
  /** Another instance appended to the stream first, so the group is decided again. */
  conflict(category: string): void;
}

const observers = new Set<WriterObserver>();
const waiting = new Map<string, () => number>();

/** Observes the writers of this process. Returns a function that stops observing. */
export function observeWriters(observer: WriterObserver): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

/** The number of unanswered commands of this process for each category. */
export const waitingCommands = (): Array<{ category: string; commands: number }> =>
  [...waiting].map(([category, count]) => ({ category, commands: count() }));

export const showWaiting = (category: string, count: () => number): void => void waiting.set(category, count);
export const noteGroup = (group: WrittenGroup): void => observers.forEach((one) => one.written(group));
export const noteConflict = (category: string): void => observers.forEach((one) => one.conflict(category));
