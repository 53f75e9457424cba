import { User } from '@beltway/contracts/identity/accounts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, get } from '../../lib/http/http.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { forgetSession } from '../../lib/session/session.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

/**
 * Downloads all data about the account. First renews the session if needed, because a file request does not renew it.
 */
export const useDownload = () =>
  useMutation({
    mutationFn: async () => {
      await get('/api/auth/me', User);
      await saveFile('/api/users/me/export', 'beltway-data.json');
    },
  });

/**
 * Deletes the account, then signs out. Rejects with HttpError 400 if the password is wrong, or 409 if the account
 * cannot be deleted.
 */
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
