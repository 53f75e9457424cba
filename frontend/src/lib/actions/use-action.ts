import { useMutation, useQueryClient, type QueryKey, type UseMutationOptions } from '@tanstack/react-query';
import { toast, type ToastContent } from '../../ui/toast.ts';
import { explain } from '../http/http.ts';

/** The title of a toast that explains the error, or a complete toast. */
type FailureWords = string | ToastContent;

interface ActionOptions<Result, Input, Shown> extends UseMutationOptions<Result, Error, Input, Shown> {
  /** The toast after success. */
  done?: ToastContent | ((result: Result, input: Input) => ToastContent | null);
  /** The toast after a failure. */
  failed?: FailureWords | ((error: Error, input: Input) => FailureWords | null);
  /** Query key prefixes to invalidate, even after a failure, because the server may have made the change anyway. */
  refresh?: readonly QueryKey[];
}

/** Shows a failure as a toast, for failures that no element on screen shows. */
export function toastFailure(words: FailureWords, error: unknown): void {
  const content = typeof words === 'string' ? { title: words, description: explain(error) } : words;
  toast({ ...content, variant: 'destructive' });
}

/** A mutation with its toasts and the queries that it invalidates. */
export function useAction<Result, Input = void, Shown = unknown>({
  done,
  failed,
  refresh = [],
  onSuccess,
  onError,
  onSettled,
  ...options
}: ActionOptions<Result, Input, Shown>) {
  const queries = useQueryClient();
  return useMutation<Result, Error, Input, Shown>({
    ...options,
    onSuccess(result, input, ...more) {
      // `onSuccess` runs before the toast opens, because it may close a dialog. The toast then belongs to the page
      // below.
      const after = onSuccess?.(result, input, ...more);
      const content = typeof done === 'function' ? done(result, input) : done;
      if (content) toast(content);
      return after;
    },
    onError(error, input, ...more) {
      const after = onError?.(error, input, ...more);
      const words = typeof failed === 'function' ? failed(error, input) : failed;
      if (words) toastFailure(words, error);
      return after;
    },
    onSettled: (...given) =>
      Promise.all([onSettled?.(...given), ...refresh.map((queryKey) => queries.invalidateQueries({ queryKey }))]),
  });
}
