import { Rejected, type Decider, type Projection } from '@beltway/event-store';

/** A tiny domain for the store's tests: a box with limited contents. */
export type BoxEvent =
  | { type: 'Filled'; data: { size: number } }
  | { type: 'Taken'; data: { who: string; count: number } };
export type BoxCommand =
  | { type: 'Fill'; size: number }
  | { type: 'Take'; who: string; count: number }
  | { type: 'Crash' }
  /** Decides one `Taken` per name, so that a command has several events. */
  | { type: 'TakeEach'; whos: string[] };

export interface Box {
  size: number;
  taken: number;
}

export const box: Decider<Box, BoxCommand, BoxEvent> = {
  initial: () => ({ size: 0, taken: 0 }),
  decide: (command, state) => {
    switch (command.type) {
      case 'Fill':
        return [{ type: 'Filled', data: { size: command.size } }];
      case 'Take':
        if (state.taken + command.count > state.size) throw new Rejected('empty');
        return [{ type: 'Taken', data: { who: command.who, count: command.count } }];
      case 'TakeEach':
        if (state.taken + command.whos.length > state.size) throw new Rejected('empty');
        return command.whos.map((who) => ({ type: 'Taken', data: { who, count: 1 } }));
      case 'Crash':
        throw new TypeError('a bug in the rules');
    }
  },
  evolve: (state, { type, data }) => {
    if (type === 'Filled') state.size += data.size;
    else state.taken += data.count;
    return state;
  },
};

// These tables have no unique key, because the fence must suffice alone.
export const TABLES = `
  create table takings (stream text, version bigint, who text not null check (who <> 'forbidden'), count int);
  create table totals (stream text primary key, taken int not null);`;

/** Adds to totals, so that an event that is projected twice or never changes the total. */
export const projectTotals: Projection<BoxEvent> = (sql, group) => {
  const taken = new Map<string, number>();
  for (const { stream, type, data } of group)
    taken.set(stream, (taken.get(stream) ?? 0) + (type === 'Taken' ? data.count : 0));
  sql.query(
    `insert into totals as t (stream, taken) select s, n from unnest($1::text[], $2::int[]) r (s, n)
     on conflict (stream) do update set taken = t.taken + excluded.taken`,
    [[...taken.keys()], [...taken.values()]],
  );
};

export const projectTakings: Projection<BoxEvent> = (sql, group) => {
  const rows = group.flatMap((event) => (event.type === 'Taken' ? [event] : []));
  sql.query(
    'insert into takings select s, v, w, c from unnest($1::text[], $2::bigint[], $3::text[], $4::int[]) r (s, v, w, c)',
    [
      rows.map(({ stream }) => stream),
      rows.map(({ version }) => version),
      rows.map(({ data }) => data.who),
      rows.map(({ data }) => data.count),
    ],
  );
};
