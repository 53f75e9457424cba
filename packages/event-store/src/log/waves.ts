/**
 * Divides the events of several streams into waves, in order, with at most one event per stream. Within a wave, rows
 * that belong to a single stream can be written in any order, so all events of one type can be written together.
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
