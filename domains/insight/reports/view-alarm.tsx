import { createViewTimingAction } from './timing-of-view.tsx'

/** Menu entry that notifies somebody when a saved view finds more rows than a threshold. */
export default createViewTimingAction('alarm', { zh: '超过就提醒我', en: 'Alert me above' }, 'bell')
