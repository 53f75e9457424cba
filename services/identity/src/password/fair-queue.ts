/** Who asks for a turn: groups take turns, and within a group its members do. */
export interface Asker {
  group: string;
  member: string;
  /** Has a lane of its own. */
  known: boolean;
}

export interface FairQueueOptions {
  /** Turns at a time. */
  running: number;
  /** Who may wait in each of the two lanes. */
  waiting: number;
  /** How many of one group may wait, of those who are not known. */
  waitingEach: number;
  /** What those who find no room are told. */
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
  /** Runs `work` when it is the asker's turn. */
  inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T>;
}

/**
 * A bounded queue that one group cannot fill for the others. When there is no room, the newest job of the group with most jobs is
 * refused, which is the newcomer's only if no other has more. Who is known waits in a lane of its own, which gets every second turn.
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

  /** Refuses the newest job of the member with most of them. */
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

  /** The oldest job of whoever is first in the round; they go to its end. */
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
        // The turn passes to the next; only without one does it become free.
        const job = next();
        if (job) job.start();
        else busy--;
      }
    },
  };
}

/** The key of the largest value; `preferred` when nobody has more. */
function largest<V>(all: Map<string, V>, sizeOf: (value: V) => number, preferred: string): string {
  const own = all.get(preferred);
  let [found, largestSize] = [preferred, own === undefined ? -1 : sizeOf(own)];
  for (const [key, value] of all) if (sizeOf(value) > largestSize) [found, largestSize] = [key, sizeOf(value)];
  return found;
}
