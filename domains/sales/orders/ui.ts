export { refundAction } from './refund-words.ts'
export { default as RefundDialog } from './refund.panel.tsx'
export { useSigning } from './use-may-sign.ts'
