import { useQueryClient } from '@tanstack/react-query';

/** After a change of an event: its dialog closes, and every list that shows it asks again. */
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
