export const texts = {
  title: 'Contáctanos',
  missing: 'Faltan campos obligatorios',
  missingWhy: 'Escribe tu correo electrónico y tus comentarios.',
  sent: '¡Mensaje enviado!',
  sentWhy: 'Gracias por escribirnos. Te responderemos pronto.',
  failed: 'Error',
  failedWhy: 'No se pudo enviar tu mensaje. Inténtalo de nuevo.',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  comments: 'Comentarios',
  sending: 'Enviando…',
  send: 'Enviar mensaje',
};
