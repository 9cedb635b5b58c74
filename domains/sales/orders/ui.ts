export { createRefundAction } from './refund-words.ts'
export { default as RefundDialog } from './refund.panel.tsx'
export { useRefundApproval } from './use-may-sign.ts'
