export const texts = {
  title: 'Título',
  description: 'Descripción',
  imageUrl: 'Imagen',
  location: 'Lugar',
  tags: 'Etiquetas',
  eventDate: 'Fecha',
  eventStartTime: 'Hora de inicio',
  eventEndTime: 'Hora de fin',
  ticketPrice: 'Precio del boleto',
  totalTickets: 'Total de boletos',
  refundDeadlineHours: 'Reembolsos',
};
