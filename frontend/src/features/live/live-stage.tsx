import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

interface LiveStageProps {
  player: ReactNode;
  /** Content below the player. */
  children?: ReactNode;
  /** Shown beside the player where there is room, otherwise below it; null when the organizer turned the chat off. */
  chat: ReactNode;
  /** If true, the player is small and the text is beside it, until the player plays or shows a message. */
  isSmall?: boolean;
}

/** A stream with its chat. */
export const LiveStage = ({ player, children, chat, isSmall = false }: LiveStageProps) => (
  <div
    className={cx(
      'grid grid-cols-[minmax(0,1fr)] gap-3 lg:items-start',
      isSmall ? 'lg:grid-cols-2' : 'lg:grid-cols-[minmax(0,1fr)_auto]',
    )}
  >
    <div
      className={cx(
        'grid content-start overflow-hidden rounded-lg border border-line bg-surface shadow-card',
        isSmall
          ? 'grid-cols-[10rem_minmax(0,1fr)] has-data-on-picture:grid-cols-1 has-[video,iframe]:grid-cols-1 max-[22rem]:grid-cols-1 md:grid-cols-[14rem_minmax(0,1fr)]'
          : 'grid-cols-1',
      )}
    >
      {player}
      {children}
    </div>
    {chat && (
      <div
        className={cx(
          isSmall
            ? 'grid grid-cols-[minmax(0,1fr)] gap-3'
            : 'relative lg:min-h-[30rem] lg:w-[21rem] lg:[&>*]:absolute lg:[&>*]:inset-0 lg:[&>*]:h-auto',
        )}
      >
        {chat}
      </div>
    )}
  </div>
);
