/**
 * Divides the events of several streams so that each stream has one at most in a wave, and its events follow each other from wave to
 * wave: what a wave's events do to rows of their streams' own can be written in any order, all of one kind at once.
 */
export function waves<Event extends { stream: string }>(group: readonly Event[]): Event[][] {
  const all: Event[][] = [];
  const next = new Map<string, number>();
  for (const event of group) {
    const wave = next.get(event.stream) ?? 0;
    next.set(event.stream, wave + 1);
    (all[wave] ??= []).push(event);
  }
  return all;
}
