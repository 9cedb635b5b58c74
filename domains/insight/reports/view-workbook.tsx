import { createViewTimingAction } from './timing-of-view.tsx'

/** Menu entry that sends the rows of a saved view as a workbook, on a schedule. */
export default createViewTimingAction('workbook', { zh: '定时发送表格', en: 'Schedule spreadsheet' }, 'schedule')
