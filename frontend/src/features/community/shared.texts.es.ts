import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './shared.texts.en.ts';

export const texts = {
  community: 'Comunidad',
  posts: 'Publicaciones',
  questions: 'Preguntas',
  leaderboard: 'Clasificación',
  challenges: 'Retos',
  badges: 'Insignias',
  connections: 'Conexiones',
  referrals: 'Invitaciones',
  district: 'El Distrito',
  somebody: 'Alguien',
  blockedPeople: 'Personas bloqueadas',
  whatBlocked: 'las personas bloqueadas',
  noneBlocked: 'No has bloqueado a nadie.',
  since: 'Desde: {when}',
  unblockOne: 'Desbloquear a {name}',
  unblock: 'Desbloquear',
  unblocked: 'Se quitó el bloqueo.',
} as const satisfies Translated<typeof english>;
