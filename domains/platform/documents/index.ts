export { printTemplate } from './print-template.resource.ts'
