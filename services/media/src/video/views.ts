import type { Logger } from '@beltway/kit/logger';
import { openVisitorCounting, type VisitorCounting } from '@beltway/kit/visitor-counting';
import type { Visitor } from '@beltway/kit/visitors';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';

export interface VideoViews extends Pick<VisitorCounting<object>, 'flush' | 'forget' | 'stop'> {
  /** Counts a view with the next batch, once per visitor and day; ignores bots. */
  note(view: Visitor & { videoId: number }): void;
}

// Plain SQL, because both statements take arrays with a whole batch.
const SEE = `insert into video_visitors (day, visitor, video_id)
  select $1, n.visitor, n.video_id from unnest($2::bytea[], $3::int[]) as n (visitor, video_id)
    join items i on i.kind = 'video' and i.id = n.video_id where i.status = 'shown'
  order by n.visitor on conflict do nothing returning video_id as "videoId"`;
const COUNT = `insert into video_view_counts (video_id, views)
  select video_id, count(*)::int from unnest($1::int[]) as n (video_id) group by video_id order by video_id
  on conflict (video_id) do update set views = video_view_counts.views + excluded.views`;

/**
 * Views of videos, counted like views of events (docs/decisions/0042). The player reports a view when it plays a video;
 * range requests are not counted.
 */
export function openVideoViews({ pool, log, clock }: { pool: Pool; log: Logger; clock: () => Date }): VideoViews {
  const { noteOf, ...counting } = openVisitorCounting<{ videoId: number }>({
    ...{ pool, log, clock, table: 'video_visitors' },
    async count(tx, day, views) {
      const values = [day, views.map(({ digest }) => digest), views.map(({ videoId }) => videoId)];
      const { rows } = await tx.query<{ videoId: number }>({ name: 'see-videos', text: SEE, values });
      if (rows.length > 0) await tx.query(COUNT, [rows.map(({ videoId }) => videoId)]);
      return rows.length;
    },
    async forgetMore(today) {
      await kysely(pool).deleteFrom('viewKeys').where('day', '<', today).execute();
      return false;
    },
  });
  return { ...counting, note: ({ videoId, ...by }) => void noteOf(`video ${videoId}`, by, () => ({ videoId })) };
}
