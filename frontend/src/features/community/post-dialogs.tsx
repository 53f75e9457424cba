import type { SocialPost } from '@beltway/contracts/realtime/community';
import { Suspense, useState, type ReactNode } from 'react';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { useSession } from '../../lib/session/session.ts';
import { BlockDialog, RemoveDialog } from './confirm-dialogs.tsx';
import type { Person, Reportable } from './person.ts';
import type { PostActions } from './post-card.tsx';
import { PostDialog } from './post-dialog.tsx';
import { ReportContentDialog } from './report-content-dialog.tsx';

interface Gone {
  /** What has the focus is gone. */
  onRemoved: () => void;
  onBlocked: (person: Person) => void;
}

/** What is done with a post, with the dialogs that ask before: for its cards, and to stand on the page. */
export function usePostDialogs({ onRemoved, onBlocked }: Gone): { actions: PostActions; dialogs: ReactNode } {
  const { user } = useSession();
  const [post, choosePost] = useState<SocialPost | null>(null);
  const [person, choosePerson] = useState<Person | null>(null);
  const [reported, chooseReported] = useState<Reportable | null>(null);
  const [isReporting, setReporting] = useDialogEntry('report');
  const [isEditing, setEditing] = useDialogEntry('change-post');
  const [isRemoving, setRemoving] = useDialogEntry('remove-post');
  const [isBlocking, setBlocking] = useDialogEntry('block');
  const actions: PostActions = {
    onEdit: (chosen) => {
      choosePost(chosen);
      setEditing(true);
    },
    onRemove: (chosen) => {
      choosePost(chosen);
      setRemoving(true);
    },
    onBlock: (chosen) => {
      choosePerson(chosen);
      setBlocking(true);
    },
    onReport: (chosen) => {
      chooseReported(chosen);
      setReporting(true);
    },
  };
  // The page stays while texts of a dialog are loaded.
  const dialogs = user && (
    <Suspense>
      {isEditing && post && (
        <PostDialog userId={user.id} post={post} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />
      )}
      {isRemoving && post && (
        <RemoveDialog
          post={post}
          onClose={() => setRemoving(false)}
          onRemoved={() => {
            setRemoving(false);
            onRemoved();
          }}
        />
      )}
      {isReporting && reported && <ReportContentDialog reported={reported} onClose={() => setReporting(false)} />}
      {isBlocking && person && (
        <BlockDialog
          person={person}
          onClose={() => setBlocking(false)}
          onBlocked={() => {
            setBlocking(false);
            onBlocked(person);
          }}
        />
      )}
    </Suspense>
  );
  return { actions, dialogs };
}
