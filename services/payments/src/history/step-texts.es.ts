import { moneyText } from '@beltway/contracts/common/basics';
import type { PaymentEvent } from '../payment/events.ts';

/** The same texts in Spanish. */
export function spanish({ type, data }: PaymentEvent): string | null {
  switch (type) {
    case 'PaymentRequested':
      return `Se pidió el pago de ${moneyText(data.amountCents)}.`;
    case 'PaymentProcessing':
      return 'El proveedor está procesando el pago.';
    case 'PaymentFailed':
      return 'Se rechazó una tarjeta.';
    case 'PaymentSucceeded':
      return `Se pagaron ${moneyText(data.amountCents)}.`;
    case 'PaymentCanceled':
      return 'El pago se abandonó.';
    case 'RefundRequested':
      return 'Se pidió un reembolso completo.';
    case 'PartRefundRequested':
      return `Se pidió un reembolso de ${moneyText(data.cents)}.`;
    case 'LivestreamConfigured':
      return 'Se configuró la transmisión en vivo.';
    case 'AlertResolved':
      return 'Un administrador resolvió una alerta.';
    case 'UnderpaymentReported':
      return `Solo se recibieron ${moneyText(data.paidCents)}.`;
    case 'PartRefundCovered':
      return `Se pidió un reembolso de ${moneyText(data.askedCents)}, pero ya se había hecho a mano.`;
    case 'RefundDelayed':
      return 'Un reembolso se intentó muchas veces y aún no está hecho.';
    case 'RefundFailed':
      return data.isOwed ? 'El banco rechazó un reembolso. Lo intentamos de nuevo.' : 'El banco rechazó un reembolso.';
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
      return `Se reembolsaron ${moneyText(data.partCents ?? data.amountCents)}.`;
    case 'RefundReversed':
      return `El banco regresó un reembolso de ${moneyText(data.partCents)}.`;
    case 'DisputeOpened':
      return `Un banco disputa ${moneyText(data.disputedCents)}.`;
    case 'DisputeLost':
      return `La disputa se perdió: el banco retiró ${moneyText(data.partCents)}.`;
    case 'DisputeWon':
      return 'La disputa se ganó.';
    case 'OtherCurrencyReported':
      return 'El proveedor informó de dinero en otra moneda. No cuenta.';
    case 'ShareTransferred':
      return `${moneyText(data.cents)} pasaron a la cuenta de quien organiza.`;
    case 'TransferReversed':
      return `${moneyText(data.cents)} regresaron de la cuenta de quien organiza.`;
    case 'FeeReturned':
      return `${moneyText(data.cents)} de la comisión pasaron a la cuenta de quien organiza.`;
    case 'PaymentFulfilled':
    case 'ShareDelayed':
    case 'ShareSettled':
    case 'ProviderFeeCharged':
      return null;
  }
}
