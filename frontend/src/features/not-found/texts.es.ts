export const texts = {
  title: 'Página no encontrada',
  missed: 'Te pasaste de la salida',
  why: 'No hay ninguna página en esta dirección. Puede estar mal escrita o el evento ya se retiró.',
  back: 'Volver a los eventos',
};
