export { reportFile } from './report-file.resource.ts'
