import './refusals.ts'

export { forgetRegisters, issueKey } from './credentials.ts'
export { LATE_DAYS, recordSale, type Sale, type SaleAnswer } from './sale.ts'
export { SALES_MAX } from './terminal.server.ts'

/** The demo story of this room, loaded when it is told. */
export const registersStory = () => import('./registers.demo.ts')

/** The later part of this room's story, told once the shops have their history. */
export const registersRunningStory = () => import('./registers-running.demo.ts')
