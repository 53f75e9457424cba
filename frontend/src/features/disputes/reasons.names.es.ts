/** Why a bank disputes a payment, by the card provider’s id. */
export const texts = {
  bank_cannot_process: 'el banco no puede procesarlo',
  check_returned: 'cheque devuelto',
  credit_not_processed: 'reembolso no recibido',
  customer_initiated: 'pedido por el cliente',
  debit_not_authorized: 'cargo no autorizado',
  duplicate: 'cobrado dos veces',
  fraudulent: 'fraude',
  general: 'sin motivo especial',
  incorrect_account_details: 'datos de cuenta incorrectos',
  insufficient_funds: 'fondos insuficientes',
  noncompliant: 'no cumple las reglas de la tarjeta',
  product_not_received: 'producto no recibido',
  product_unacceptable: 'producto no aceptable',
  subscription_canceled: 'suscripción cancelada',
  unrecognized: 'cargo no reconocido',
};
