import { createViewTimingAction } from './timing-of-view.tsx'

/** Brings the rows of a view of a list as a workbook, by the clock. */
export default createViewTimingAction('workbook', { zh: '定时发送表格', en: 'Schedule spreadsheet' }, 'schedule')
