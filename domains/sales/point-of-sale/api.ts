import './refusals.ts'

export { forgetRegisters, issueKey } from './credentials.ts'
export { LATE_DAYS, recordSale, type Sale, type SaleAnswer } from './sale.ts'
export { SALES_MAX } from './terminal.server.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const registersStory = () => import('./registers.demo.ts')

/** Demo data that needs the shops' history, seeded after it. */
export const registersRunningStory = () => import('./registers-running.demo.ts')
