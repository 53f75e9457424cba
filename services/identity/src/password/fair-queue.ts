/** Identifies the caller. Groups take turns, and the members of a group take turns within it. */
export interface Asker {
  group: string;
  member: string;
  /** Whether the caller uses the lane for known devices. */
  known: boolean;
}

export interface FairQueueOptions {
  /** Maximum concurrent jobs. */
  running: number;
  /** Maximum waiting jobs in each of the two lanes. */
  waiting: number;
  /** Maximum waiting jobs of one group in the lane for unknown devices. */
  waitingEach: number;
  /** The error for a refused job. */
  refusal: () => Error;
}

interface Job {
  start: () => void;
  refuse: (why: Error) => void;
}
interface Group {
  size: number;
  members: Map<string, Job[]>;
}
interface Lane {
  size: number;
  groups: Map<string, Group>;
}

export interface FairQueue {
  /** Runs `work` when the caller's turn comes. */
  inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T>;
}

/**
 * A bounded queue that no single group can fill at the expense of other groups. When the queue is full, it rejects the
 * newest job of the group with the most jobs. The group of the new job loses a job only if no other group has more
 * jobs. Known devices wait in a separate lane, which gets every second turn.
 */
export function fairQueue({ running, waiting, waitingEach, refusal }: FairQueueOptions): FairQueue {
  const known: Lane = { size: 0, groups: new Map() };
  const others: Lane = { size: 0, groups: new Map() };
  let busy = 0;
  let knownIsNext = true;

  function enter(lane: Lane, { group: name, member }: Asker, job: Job): void {
    const group = lane.groups.get(name) ?? { size: 0, members: new Map<string, Job[]>() };
    lane.groups.set(name, group);
    const line = group.members.get(member) ?? [];
    group.members.set(member, line);
    line.push(job);
    group.size++;
    lane.size++;
    if (lane === others && group.size > waitingEach) dropFrom(lane, name, member);
    else if (lane.size > waiting)
      dropFrom(
        lane,
        largest(lane.groups, ({ size }) => size, name),
        member,
      );
  }

  /** In this group, rejects the newest job of the member with the most jobs. */
  function dropFrom(lane: Lane, name: string, newcomer: string): void {
    const group = lane.groups.get(name)!;
    const member = largest(group.members, (line) => line.length, newcomer);
    const line = group.members.get(member)!;
    const job = line.pop()!;
    lane.size--;
    if (line.length === 0) group.members.delete(member);
    if (--group.size === 0) lane.groups.delete(name);
    job.refuse(refusal());
  }

  /**
   * Removes and returns the oldest job of the next member in rotation. The member and its group move to the end of the
   * rotation.
   */
  function nextOf(lane: Lane): Job | undefined {
    for (const [name, group] of lane.groups)
      for (const [member, line] of group.members) {
        const job = line.shift();
        lane.size--;
        group.members.delete(member);
        if (line.length > 0) group.members.set(member, line);
        lane.groups.delete(name);
        if (--group.size > 0) lane.groups.set(name, group);
        return job;
      }
    return undefined;
  }

  function next(): Job | undefined {
    const [first, second] = knownIsNext ? [known, others] : [others, known];
    knownIsNext = !knownIsNext;
    return nextOf(first) ?? nextOf(second);
  }

  return {
    async inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
      if (busy < running) busy++;
      else await new Promise<void>((start, refuse) => enter(asker.known ? known : others, asker, { start, refuse }));
      try {
        return await work();
      } finally {
        // Passes the slot to the next job. If no job waits, frees the slot.
        const job = next();
        if (job) job.start();
        else busy--;
      }
    },
  };
}

/** The key of the largest value. On a tie: `preferred`. */
function largest<V>(all: Map<string, V>, sizeOf: (value: V) => number, preferred: string): string {
  const own = all.get(preferred);
  let [found, largestSize] = [preferred, own === undefined ? -1 : sizeOf(own)];
  for (const [key, value] of all) if (sizeOf(value) > largestSize) [found, largestSize] = [key, sizeOf(value)];
  return found;
}
