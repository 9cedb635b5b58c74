import './refusals.ts'

export { invalidateCashRegisterCache, issueKey } from './credentials.ts'
export { SALE_LATE_DAYS_MAX, recordSale, type Sale, type SaleAnswer } from './sale.ts'
export { SALES_PER_UPLOAD_MAX } from './terminal.server.ts'

export const importRegistersDemo = () => import('./registers.demo.ts')

/** Demo data that needs the shops' history, seeded after it. */
export const importRunningRegistersDemo = () => import('./registers-running.demo.ts')
