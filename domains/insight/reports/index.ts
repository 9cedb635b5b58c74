export { reportFile } from './report-file.resource.ts'
export { reportView } from './report-view.resource.ts'
export { reportSent } from './report-sent.resource.ts'
export { reportTiming } from './report-timing.resource.ts'
