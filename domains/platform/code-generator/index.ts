export { code } from './code.resource.ts'
export { dataSource } from './data-source.resource.ts'
export { model, modelPrototype } from './model.resource.ts'
