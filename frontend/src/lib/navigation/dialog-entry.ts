import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** The state of a dialog's history entry. The previous history entry is the page below the dialog. */
interface EntryState {
  isDialog?: boolean;
}

/**
 * The state for a link to /auth that returns to a dialog. The history entry of that dialog then behaves as if the user
 * had opened the dialog on its page.
 */
export const DIALOG_ENTRY: EntryState = { isDialog: true };
export const isDialogEntry = (state: unknown): boolean => (state as EntryState | null)?.isDialog === true;

/** Milliseconds after which going back within a page counts as failed. Going back usually takes a few milliseconds. */
const GIVE_UP_MS = 500;

/**
 * A dialog that is part of the URL, as `#name`: Back closes it, a reload shows it again, a link can open it. If a
 * dialog opens another dialog, the new one replaces it.
 */
export function useDialogEntry(name: string): readonly [isOpen: boolean, setOpen: (open: boolean) => void] {
  const { pathname, search, hash, key, state } = useLocation();
  const navigate = useNavigate();
  const isOpen = hash === `#${name}`;
  const isMade = isDialogEntry(state);
  // Going back is asynchronous, and a second press in the meantime must not go back again.
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = false;
    return () => {
      isLeaving.current = false; // by then another entry is current
    };
  }, [key]);

  const setOpen = useCallback(
    (open: boolean) => {
      if (open) {
        // The dialog is already open, but React has not rendered the first press yet.
        if (window.location.hash === `#${name}`) return;
        // React may not have rendered the entry of another dialog yet, whose code is still loading.
        const current = window.history.state as { usr?: unknown } | null;
        const replace = isMade || isDialogEntry(current?.usr);
        return void navigate({ pathname, search, hash: name }, { state: DIALOG_ENTRY, replace });
      }
      // Deferred, so that a link in the dialog navigates first.
      queueMicrotask(() => {
        if (window.location.hash !== `#${name}` || isLeaving.current) return;
        isLeaving.current = true;
        const leaveHere = () => void navigate({ pathname, search }, { replace: true });
        if (!isMade) return leaveHere();
        void navigate(-1);
        // A duplicated or restored tab may have no earlier entry.
        setTimeout(() => isLeaving.current && window.location.hash === `#${name}` && leaveHere(), GIVE_UP_MS);
      });
    },
    [name, pathname, search, isMade, navigate],
  );
  return [isOpen, setOpen];
}
