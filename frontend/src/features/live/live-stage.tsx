import type { ReactNode } from 'react';

interface LiveStageProps {
  player: ReactNode;
  /** Below the player. */
  children?: ReactNode;
  /** Beside the player where there is room, else below it; none where the organizer wants none. */
  chat: ReactNode;
}

/** A stream with its chat. */
export const LiveStage = ({ player, children, chat }: LiveStageProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_auto]">
    <div className="grid grid-cols-1 content-start overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      {player}
      {children}
    </div>
    {chat && (
      <div className="relative lg:w-[21rem] lg:min-h-[30rem] lg:[&>*]:absolute lg:[&>*]:inset-0 lg:[&>*]:h-auto">
        {chat}
      </div>
    )}
  </div>
);
