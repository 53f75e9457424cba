/** Statuses that only tickets have. */
const OF_TICKETS = new Set(['valid', 'frozen']);

/** Only contracts/ticketing/ticket-status.ts decides what a ticket's status means. */
export const ticketStatus = {
  meta: { type: 'problem', schema: [], messages: { compared: "Ask ticket-status.ts what '{{status}}' means." } },
  create: (context) => ({
    BinaryExpression(node) {
      if (!['===', '!=='].includes(node.operator)) return;
      for (const side of [node.left, node.right])
        if (side.type === 'Literal' && OF_TICKETS.has(side.value))
          context.report({ node, messageId: 'compared', data: { status: side.value } });
    },
  }),
};
