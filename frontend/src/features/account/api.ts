import { User } from '@beltway/contracts/identity/accounts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, get } from '../../lib/http/http.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { forgetSession } from '../../lib/session/session.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

/** Saves all that Beltway has of the person. The session is renewed before, where it must be: a file's call does not. */
export const useDownload = () =>
  useMutation({
    mutationFn: async () => {
      await get('/api/auth/me', User);
      await saveFile('/api/users/me/export', 'beltway-data.json');
    },
  });

/** Deletes the account, and leads to where signing out does. Rejects with HttpError 400 for a wrong password, 409 with the reason. */
export function useDeleteAccount() {
  const navigate = useNavigate();
  const t = textsNow(texts);
  return useAction({
    mutationFn: (body: { password: string }) => del('/api/users/me', undefined, { body }),
    done: { title: t('deleted'), description: t('deletedWhy'), at: '/auth' },
    onSuccess: () => {
      void navigate('/auth', { replace: true });
      forgetSession();
    },
  });
}
