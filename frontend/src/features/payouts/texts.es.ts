import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  none: 'Sin configurar',
  noneWhy:
    'Conecta una cuenta bancaria con nuestro proveedor de tarjetas. Lo que ganes hasta entonces se guarda para ti.',
  noneAction: 'Configurar depósitos',
  onboarding: 'Sin terminar',
  onboardingWhy: 'La configuración no está terminada. Lo que ganes se guarda para ti hasta que lo esté.',
  onboardingAction: 'Continuar la configuración',
  review: 'En revisión',
  reviewWhy:
    'El proveedor de tarjetas está revisando tus datos. Tarda minutos, a veces días; no tienes que hacer nada más.',
  restricted: 'Faltan datos',
  restrictedWhy:
    'El proveedor de tarjetas necesita algo de ti antes de volver a depositar. Lo que ganes se guarda para ti.',
  restrictedAction: 'Agregar datos',
  rejected: 'Rechazada',
  rejectedWhy: 'El proveedor de tarjetas rechazó esta cuenta. Escríbenos: lo que has ganado se guarda para ti.',
  ready: 'Lista',
  readyWhy:
    'Lo que vendes llega a tu cuenta con el proveedor de tarjetas con cada boleto, y de ahí a tu banco cada semana.',
  account: 'Cuenta para depósitos',
  dashboardOf: 'El panel del proveedor',
  newTab: '(se abre en otra pestaña)',
  transfer: 'A la cuenta',
  reversal: 'De vuelta desde la cuenta',
  payout: 'Al banco',
  pending: 'En camino',
  paid: 'Llegó',
  failed: 'Devuelto',
  notLoaded: 'No se pudieron cargar los depósitos',
  loading: 'Cargando los depósitos',
  balance: 'Saldo',
  owedToYou: 'Por pagarte',
  owed: 'Por pagar a organizadores',
  youOwe: 'Debes',
  owedByOrganisers: 'Deuda de organizadores',
  debtWhy:
    'Se reembolsaron pedidos después de haberte pagado su dinero. Los {amount} se saldan con tus próximas ventas de boletos: esas partes se retienen hasta que no debas nada. No tienes que enviar nada.',
  paidOut: 'Depositado',
  next: 'Próximo depósito',
  amountOn: '{amount} el {day}',
  noneYet: 'Todavía ninguno',
  schedule:
    'Los depósitos salen cada semana, los viernes, y tardan {arrival}. El mínimo es {minimum}. El saldo está en la cuenta con el proveedor de tarjetas; lo que falta por pagar va ahí cuando la cuenta está lista.',
  latest: 'Últimos movimientos',
  nothingMoved: 'Todavía no hay movimientos.',
  event: 'Evento {id}',
  setUp: 'Configuración de depósitos',
  setUpWhy: 'Se abrirá el panel del proveedor para configurarlo a mano.',
  setup: 'Configuración de depósitos',
  linkUsed: 'El enlace a la configuración ya se usó o es muy viejo. Uno nuevo te lleva ahí de inmediato.',
  dashboard: 'Tu panel',
  notAsked: 'No se pudo consultar al proveedor de tarjetas',
  asking: 'Consultando al proveedor de tarjetas',
} as const satisfies Translated<typeof english>;
