import { createViewTimingAction } from './timing-of-view.tsx'

/** Tells somebody when a view of a list finds more than it should. */
export default createViewTimingAction('alarm', { zh: '超过就提醒我', en: 'Alert me above' }, 'bell')
