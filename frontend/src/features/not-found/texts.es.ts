export const texts = {
  title: 'Página no encontrada',
  missed: 'Te pasaste de la salida',
  why: 'No encontramos esta página. El enlace puede estar mal escrito o el evento ya se retiró.',
  back: 'Volver a los eventos',
};
