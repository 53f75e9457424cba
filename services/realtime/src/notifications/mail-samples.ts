import type { Language } from '@beltway/contracts/common/languages';
import { MailedKind } from '@beltway/contracts/realtime/notifications';
import type { Mail } from '@beltway/kit/mail';
import { SAMPLE, type MailSamples } from '@beltway/kit/mail/samples';
import type { Secrets } from '@beltway/kit/secrets';
import { notificationMail } from './mail-texts.ts';
import type { NotedEvent } from './noted.ts';
import type { MailScope } from './preferences.ts';
import { wordsOf } from './texts.ts';

const EVENT: NotedEvent = {
  ...{ eventId: 42, ownerId: 7, title: 'Noche', location: 'The Wharf', status: 'published', version: 1 },
  ...{
    isSuspended: false,
    eventDate: new Date('2030-06-01T04:00:00.000Z'),
    eventLastDate: null,
    eventStartTime: '19:00',
    eventEndTime: null,
  },
};

function compose(kinds: readonly MailedKind[], scope: MailScope, language: Language): Mail {
  const items = kinds.map((kind) => {
    const detail = kind === 'search-matched' ? '["Salsa"]' : null;
    const told = { kind, eventId: 42, subjectId: 7, count: 1, amountCents: 5_100, detail };
    return { kind, ...wordsOf(told, EVENT, language) };
  });
  const secrets: Secrets = ['secret-of-samples-0123456789abcdef'];
  return notificationMail(items, scope, { ...SAMPLE, id: 'sample', userId: 1, language, secrets });
}

export const samples: MailSamples = {
  ...Object.fromEntries(
    MailedKind.options.map((kind) => [kind, (language: Language) => compose([kind], kind, language)]),
  ),
  several: (language) => compose(['search-matched', 'search-matched'], 'search-matched', language),
  daily: (language) => compose(MailedKind.options, 'daily', language),
};
