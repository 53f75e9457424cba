import { useQueryClient } from '@tanstack/react-query';

/** After an event was changed: closes the dialog and invalidates every query that shows the event. */
export function useSaved(onClose: () => void) {
  const queries = useQueryClient();
  return async () => {
    onClose();
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['/api/events'] }),
      queries.invalidateQueries({ queryKey: ['/api/users'] }),
    ]);
  };
}
