export { ownField } from './own-field.resource.ts'
