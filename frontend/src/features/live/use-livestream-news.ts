import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pageSocket } from '../../lib/realtime/socket.ts';

/**
 * Refetches live streams when the socket reports that a stream was scheduled or moved, began or ended. Without the
 * socket, polls refetch them.
 */
export function useLivestreamNews(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isGone = false;
    let stop = () => {};
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const onChanged = ({ eventId }: { eventId: number }) => {
      // A random delay, so that not all browsers refetch at the same moment.
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          void queries.invalidateQueries({ queryKey: ['/api/live-streams'] });
          void queries.invalidateQueries({ queryKey: ['/api/broadcasts', eventId] });
          void queries.invalidateQueries({ queryKey: ['/api/events', eventId], exact: true });
        },
        250 + Math.random() * 2_000,
      );
      timers.add(timer);
    };
    pageSocket().then(
      (socket) => {
        if (isGone) return;
        socket.on('catalog.livestream-changed', onChanged);
        stop = () => void socket.off('catalog.livestream-changed', onChanged);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      stop();
      timers.forEach(clearTimeout);
    };
  }, [queries]);
}
